"""Studies: how a policy depends on what it is trained on, and how."""
