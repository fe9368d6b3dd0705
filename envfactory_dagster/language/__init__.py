"""Talking to models: one gateway for every role, with cache, ledger, budget, retries and limits.

Belongs here: how a question travels and what it costs. Does not: what is asked (`authoring`, `rollouts`, `truth`).
"""
