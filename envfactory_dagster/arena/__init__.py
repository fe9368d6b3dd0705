"""The arena: how a policy fares in environments it was not trained on, what it is weak in, and tasks against that.

Belongs here: the taxonomy of environments, rounds from their draw to their diagnosis. Does not: making environments and
tasks, playing, training, and the split that an environment is in (the rooms below, and `trainer`).
"""
