"""Rollouts: agents playing tasks in environments, and what is kept of it.

Belongs here: the agent loop, simulated users, limits, the store of trajectories. Does not: what an episode is worth
(`truth`), where environments run (`runtime`), how models are reached (`language`).
"""
