"""Tasks from programs: a hard request, a program that does it, and checks that tell whether it was done.

Belongs here: asking a model for the three together, and the gate they pass. Does not: the trials of solutions and
verifiers (`tasks.proving`, `truth`).
"""
