"""Task families: a kind of task written once, from which fresh tasks are drawn without a model, each gated when drawn.

Belongs here: reading a family's module, drawing tasks, their gates, and asking a model for families. Does not: the
trials of solutions and verifiers (`truth`), and the worker that draws (`runtime.family_worker`).
"""
