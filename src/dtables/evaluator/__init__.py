"""The reference meaning: what a checked workbook answers, and why."""

from dtables.evaluator.evaluator import Evaluator
from dtables.evaluator.planned import Planned, deciding, explaining
from dtables.evaluator.state import Mode
from dtables.evaluator.trace import Explanation

__all__ = ["Evaluator", "Explanation", "Mode", "Planned", "deciding", "explaining"]
