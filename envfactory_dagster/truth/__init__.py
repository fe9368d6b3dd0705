"""What is true of a task: solutions that are executed, verifiers that are themselves tested, rewards out of verdicts.

Belongs here: running solutions and traces, the normal form of what they changed, verdicts, the gate that tries a
verifier, inspection of an environment. Does not: processes and sessions (`runtime`), writing tasks, tools and data
(`authoring`), and how agents behave (`rollouts`).
"""
