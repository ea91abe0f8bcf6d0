"""The Duel opponent by hand: the rules of its log contract in plain Python, independent of any table.

`facts` reads the component data, `state` a sound record, `rules` has prices, needs and scales, `asks` and
`effects` the answers. `turns` and `narrow` make states to try, `spoils` and `refused` have bad ones.
"""
