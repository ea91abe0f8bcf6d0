"""A contestant: the ask `turn` of 7 Wonders Duel by hand, from JSON Lines to JSON Lines.

`jsonlines` parses and writes, `reading` checks one record field by field, `consistency` checks it as a whole,
`log` keeps count. The rules themselves are those of the tests' oracle, `tests/games/duel`, which was
written from the log contract before any of them was compiled.
"""
