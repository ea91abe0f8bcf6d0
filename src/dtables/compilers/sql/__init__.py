"""Rulesets as SQL: one neutral tree of sqlglot's nodes, lowered to a dialect."""
