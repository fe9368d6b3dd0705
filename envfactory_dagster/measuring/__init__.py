"""Benchmarks: our held-out tasks and public ones, played by a policy behind an endpoint.

Belongs here: what is measured, how, and what the figures are. Does not: training policies and serving them (`trainer`).
"""
