"""Tasks made from an environment itself: its tool graph, chains sampled from it, and what is asked along them.

Belongs here: everything between a finished environment and the tasks that go into its release. Does not: how a task is
judged (`truth`), or how an agent is run on it (`rollouts`).
"""
