"""The Duel opponent by hand: the rules of its log contract in plain Python, independent of any table.

`facts` reads the component data, `records` reads and refuses a state, `rules` has costs, needs and
scales, `asks` the answers, `turns` makes states to try.
"""
