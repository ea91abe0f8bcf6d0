"""The reference meaning: what a checked workbook answers, and why."""

from dtables.evaluator.evaluator import Evaluator
from dtables.evaluator.planned import Planned, deciding, explaining, watching
from dtables.evaluator.state import Mode
from dtables.evaluator.trace import Explanation
from dtables.evaluator.watching import Watch

__all__ = ["Evaluator", "Explanation", "Mode", "Planned", "Watch", "deciding", "explaining", "watching"]
