"""What grammar asks of words that a workbook has only once: articles, number, negation, capitals.

Endings decide where nothing else is known; what they do not show well is left as it stands.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable

# -- articles ---------------------------------------------------------------------------------------

_ARTICLES = re.compile(r"\b(di|a|da|in|su) (il|lo|la|i|gli|le) |\b(di|a|da|in|su) l(?=['’])")
_STEMS = {"di": "de", "a": "a", "da": "da", "in": "ne", "su": "su"}
_ENDINGS = {"il": "l", "lo": "llo", "la": "lla", "i": "i", "gli": "gli", "le": "lle"}
_LEADING = {
    "en": re.compile(r"(the|a|an) (?=\w)", re.IGNORECASE),
    "it": re.compile(r"((il|lo|la|i|gli|le) (?=\w)|l['’](?=\w))", re.IGNORECASE),
}


def joined_articles(text: str) -> str:
    """`di i pacchi` is `dei pacchi`, `a la fine` `alla fine`, `su l'ultimo` `sull'ultimo`."""

    def join(found: re.Match[str]) -> str:
        if found.group(3):
            return _STEMS[found.group(3)] + "ll"
        return _STEMS[found.group(1)] + _ENDINGS[found.group(2)] + " "

    return _ARTICLES.sub(join, text)


def has_article(text: str, language: str) -> bool:
    """Say whether it begins with `the` or `a`, `il` or `la`."""
    return language in _LEADING and _LEADING[language].match(text) is not None


def without_article(text: str, language: str) -> str:
    """Return a label as it stands behind an adjective: `maggior peso`, for `il peso`."""
    return _LEADING[language].sub("", text, count=1) if has_article(text, language) else text


def before(word: str, text: str) -> str:
    """Return the word as it stands before a text: `ed` for `e` before another `e`."""
    return "ed" if word == "e" and text[:1] in "eEèéÈÉ" and text else word


# -- one or many ------------------------------------------------------------------------------------

_HEAD = re.compile(
    r"\s(of|it|that|which|who|for|on|in|with|by|to|from|at|between|among|if|the|he|she|they|we|you)\s"
    r"|\s?[(,:;]| – ",
    re.IGNORECASE,
)
_ONE_IN_ENGLISH = ("ss", "us", "is", "ness", "series", "chess")
_ONE_IN_ITALIAN = (
    "ore", "ione", "ale", "ice", "ente", "ude", "one", "ine", "ere", "ase", "ave", "ie", "ime", "ce",
    "ese", "nte",
)  # fmt: skip


_STIFF = re.compile(
    r"(the |il |la |i |le )?(its|his|her|their|my|your|suo|sua|suoi|sue)\b|"
    r"(how|what|which|where|who|quant[oiae]|che cosa|quale|dove|chi)\b",
    re.IGNORECASE,
)


def takes_adjectives(label: str) -> bool:
    """Say whether an adjective may go before it; not before `its …`, `how much …`."""
    return _STIFF.match(label) is None


def is_plural(label: str, language: str) -> bool:
    """Say whether a label names many, as far as its noun's ending shows it."""
    words = without_article(label, language).split()
    if not words:
        return False
    if language == "it":
        article = _LEADING["it"].match(label)
        if article is not None:
            return article.group().strip().casefold() in ("i", "gli", "le")
        noun = words[0].casefold()
        return noun.endswith(("i", "e")) and not noun.endswith(_ONE_IN_ITALIAN) and len(noun) > 2
    head = _HEAD.split(without_article(label, language), maxsplit=1)[0].split()
    noun = head[-1].casefold() if head else ""
    return noun.endswith("s") and not noun.endswith(_ONE_IN_ENGLISH) and len(noun) > 2


# -- that it is not so --------------------------------------------------------------------------------

_THIRD_PERSON = (
    "wins|fits|lies|gains|needs|takes|gives|makes|goes|lowers|completes|brings|uncovers|contains|begins|wants"
)
_VERB = {
    "en": re.compile(rf"\b(is|are|can|would|may|must|will|has|have|does|do|{_THIRD_PERSON})\b"),
    "it": re.compile(
        r"(?<![\w'’])((?:(?:si|ci|ne|lo|la|li|le|gli|vi) )?"
        r"(?:c['’]è|l['’]ha|ci sono|è|sono|ha|hanno|può|possono|vince|basta|passa|completa|abbassa|procura|"
        r"scopre|guadagna|contiene|serve|va|fa|sta|\w+[aei]rebbe(?:ro)?))(?!\w)"
    ),
}
_REFUSED = {
    "en": re.compile(r"\b(no|not|cannot|never|nobody|none|nothing)\b", re.IGNORECASE),
    "it": re.compile(r"\b(non|nessun\w*|mai|niente)\b", re.IGNORECASE),
}
_RELATIVE = {"en": re.compile(r"\b(that|which|who|if)\b"), "it": re.compile(r"\b(che|cui|se)\b")}
_DONE = re.compile(r"\s+(already\s+)?(\w+(ed|en)|been|done|made|won|had)\b")


def is_refusal(text: str, language: str) -> bool:
    """Say whether it says itself that something is not so."""
    return language in _REFUSED and _REFUSED[language].search(text) is not None


def verb_in(text: str, language: str) -> re.Match[str] | None:
    """Find the verb of a clause: `SOLO can pay`; none where it may be another clause's."""
    if language not in _VERB:
        return None
    found = _VERB[language].search(text)
    return None if found and _RELATIVE[language].search(text[: found.start()]) else found


def has_relative(text: str, language: str) -> bool:
    """Say whether it holds a clause of its own: `gods that win`."""
    return language in _RELATIVE and _RELATIVE[language].search(text) is not None


def begins_with_verb(text: str, language: str) -> bool:
    """Say whether a subject may stand before it: `can start a chain`."""
    found = verb_in(text, language)
    return found is not None and found.start() == 0


def negated(text: str, language: str) -> str | None:
    """Turn a clause round by its verb: `SOLO cannot pay`; None where it has none or is turned already."""
    found = None if is_refusal(text, language) else verb_in(text, language)
    if found is None:
        return None
    start, verb, rest = text[: found.start()], found.group(), text[found.end() :]
    if language == "it":
        return f"{start}non {verb}{rest}"
    match verb:
        case "can":
            return f"{start}cannot{rest}"
        case "has" | "have" if not _DONE.match(rest):
            return f"{start}{'does' if verb == 'has' else 'do'} not have{rest}"
        case _ if verb in _THIRD_PERSON.split("|"):
            return f"{start}does not {verb.removesuffix('es') if verb == 'goes' else verb[:-1]}{rest}"
        case _:
            return f"{start}{verb} not{rest}"


# -- capitals -----------------------------------------------------------------------------------------

_CAPITALS = re.compile(r"(?<=\w[ '’])[A-ZÀ-Ý]\w*")


def proper_words(texts: Iterable[str]) -> frozenset[str]:
    """The words that have a capital within a text too: `SOLO`, `Wonder`; they keep it anywhere."""
    return frozenset(word for text in texts for word in _CAPITALS.findall(text))


def lowered(label: str, proper: Container[str], language: str) -> str:
    """A label as it stands in the middle of a sentence: its first word's capital is the sentence's, unless
    the word has one of its own."""
    first = re.match(r"[A-ZÀ-Ý]\w*", label)
    if first is None or first.group() in proper:
        return label
    word = first.group()
    is_article = word == "A" or (language == "it" and word in ("I", "L"))
    return label[0].lower() + label[1:] if word[1:].islower() or is_article else label
