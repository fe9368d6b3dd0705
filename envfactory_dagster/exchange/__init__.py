"""Environments in the forms of other projects.

Belongs here: writing a released environment in a peer's form. What is written imports nothing of this package. Does
not: bundles themselves (`contracts.bundle`), and how they judge (`runtime.standalone_judge`).
"""
