"""What other projects' packages are needed to measure by, and what runs among them.

Belongs here: requirements, and scripts for the virtual environments of these packages, which import nothing of ours.
Does not: making such an environment and talking to a script (`measuring.peer`).
"""
