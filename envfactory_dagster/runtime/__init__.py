"""Running environments: sandboxed workers, sessions, the tool façade, and the gateways in front of them.

Belongs here: whatever executes code that nobody reviewed, and whatever serves it to callers. Does not: judging what the
calls achieved (`truth`), or playing the agent that makes them (`rollouts`).
"""
