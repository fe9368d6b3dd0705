"""How the edges of a tool graph are found: by lineage, by likeness, by a model's understanding.

Belongs here: one module for each kind of evidence, and the stage that puts them together. Does not: what the graph is
used for (`tasks.sampling`).
"""
