"""What a ruleset comes to when nothing is left to decide: made of the model, function by function."""

from dtables.program.lowering import Program

__all__ = ["Program"]
