"""Tasks along the tool graph: a chain is executed, described, and proven.

Belongs here: everything from a sampled chain to a task with its truth. Does not: the graph and sampling itself
(`tasks.graph`, `tasks.sampling`), the gate of the truth (`tasks.proving`).
"""
