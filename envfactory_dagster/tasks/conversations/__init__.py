"""From a task with its truth to a person who brings it up, turn by turn, as people do.

Belongs here: turns, wording, the four refinements, variants, and the stage that puts them together. Does not: making
the tasks (`tasks.graph_tasks`, `tasks.program_tasks`, the author's own), the gate of the truth (`tasks.proving`), and
playing a conversation (`rollouts`).
"""
