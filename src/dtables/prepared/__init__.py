"""The reference meaning, prepared: what the evaluator does with a node of the model each time anew, is
made a Python function once. The same values, the same steps, many times sooner.

Whatever is rare is left to the evaluator itself, node by node; a property test holds both together.
"""

from __future__ import annotations

from dtables.prepared.evaluators import Prepared, deciding, explaining

__all__ = ["Prepared", "deciding", "explaining"]
