"""What a checked workbook answers, and why: its program as closures."""

from dtables.evaluator.evaluator import Evaluator, watching
from dtables.evaluator.trace import Explanation
from dtables.evaluator.watching import Watch

__all__ = ["Evaluator", "Explanation", "Watch", "watching"]
