"""How each dialect spells the neutral operations: one table per dialect."""
