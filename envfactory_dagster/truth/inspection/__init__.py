"""Inspection: how good an environment is, found by using it: computed facts, two agents, ratings, and a revision loop.

Belongs here: judging a finished bundle without its tasks' solutions. Does not: the gate that tool code passes while it
is written (`authoring.trials`, whose pieces are used here), and judging what agents do (the modules beside this one).
"""
