"""Measuring a policy on fresh tasks of many kinds of environments, and what follows from where it fails.

Belongs here: the taxonomy, and what is drawn and found by it. Does not: making environments and tasks (the rooms
below).
"""
