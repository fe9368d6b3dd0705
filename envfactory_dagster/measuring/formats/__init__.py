"""Public benchmarks' ways of writing tools and calls, and ours, both ways.

Belongs here: one module for each benchmark. Does not: reading their files, and playing their tasks.
"""
