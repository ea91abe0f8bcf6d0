"""DMN models for tests: only what matters is written."""

from __future__ import annotations

from pathlib import Path

from dtables.dmn import Model, elements, load
from dtables.dmn.surroundings import Files

MODEL = "https://www.omg.org/spec/DMN/20230324/MODEL/"


def value_of(text: str) -> object:
    """What an expression is worth as a decision that needs nothing."""
    asked = elements.Decision("asked", "asked", None, (), (), (), elements.Literal(text))
    file = elements.Definitions("model", "own", (), (), (asked,), frozenset())
    return Model(Files([file])).evaluate("asked", {})


def definitions(body: str, namespace: str = "own") -> str:
    return f'<definitions xmlns="{MODEL}" name="model" namespace="{namespace}">{body}</definitions>'


def literal(text: str) -> str:
    escaped = text.replace("&", "&amp;").replace("<", "&lt;")
    return f"<literalExpression><text>{escaped}</text></literalExpression>"


def variable(name: str, type_: str = "") -> str:
    written = f' typeRef="{type_}"' if type_ else ""
    return f'<variable name="{name}"{written}/>'


def input_data(name: str, type_: str = "") -> str:
    return f'<inputData id="{name}" name="{name}">{variable(name, type_)}</inputData>'


def decision(name: str, logic: str, needs: str = "", type_: str = "") -> str:
    """`needs`: `input:x decision:y knowledge:f`, by id. `logic` that is no XML is a literal expression."""
    boxed = logic if logic.startswith("<") else literal(logic)
    required = "".join(_requirement(*one.split(":", 1)) for one in needs.split())
    return f'<decision id="{name}" name="{name}">{variable(name, type_)}{required}{boxed}</decision>'


def knowledge(name: str, parameters: str, logic: str, needs: str = "", type_: str = "") -> str:
    """`parameters`: `a, b: number`."""
    boxed = logic if logic.startswith("<") else literal(logic)
    required = "".join(_requirement(*one.split(":", 1)) for one in needs.split())
    body = f"<encapsulatedLogic>{formal(parameters)}{boxed}</encapsulatedLogic>"
    inner = f"{variable(name, type_)}{body}{required}"
    return f'<businessKnowledgeModel id="{name}" name="{name}">{inner}</businessKnowledgeModel>'


def formal(parameters: str) -> str:
    written = [one.partition(":") for one in parameters.split(",") if one.strip()]
    return "".join(
        f'<formalParameter name="{name.strip()}"' + (f' typeRef="{type_.strip()}"/>' if type_ else "/>")
        for name, _, type_ in written
    )


def service(name: str, outputs: str, inner: str = "", decisions: str = "", data: str = "") -> str:
    kinds = [("outputDecision", outputs), ("encapsulatedDecision", inner)]
    kinds += [("inputDecision", decisions), ("inputData", data)]
    parts = "".join(f'<{tag} href="#{one}"/>' for tag, ids in kinds for one in ids.split())
    return f'<decisionService id="{name}" name="{name}">{variable(name)}{parts}</decisionService>'


def entry(name: str, logic: str, type_: str = "") -> str:
    """A context's entry; without name its result."""
    boxed = logic if logic.startswith("<") else literal(logic)
    return f"<contextEntry>{variable(name, type_) if name else ''}{boxed}</contextEntry>"


def written(folder: Path, body: str, name: str = "model.dmn", namespace: str = "own") -> Path:
    path = folder / name
    path.write_text(definitions(body, namespace), encoding="utf-8")
    return path


def model(folder: Path, body: str) -> Model:
    return load(written(folder, body))


def _requirement(kind: str, id_: str) -> str:
    href = id_ if "#" in id_ else f"#{id_}"
    match kind:
        case "input":
            return f'<informationRequirement><requiredInput href="{href}"/></informationRequirement>'
        case "decision":
            return f'<informationRequirement><requiredDecision href="{href}"/></informationRequirement>'
        case _:
            return f'<knowledgeRequirement><requiredKnowledge href="{href}"/></knowledgeRequirement>'
