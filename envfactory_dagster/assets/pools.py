"""Names of the pools that bound how many steps of all runs are at work at once."""

MODEL_CALLS = "model_calls"
SANDBOXES = "sandboxes"
