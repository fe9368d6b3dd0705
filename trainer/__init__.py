"""The trainer: a process of its own that turns datasets and live environments into policies.

Belongs here: recipes, policies, SFT, GRPO, evaluation, and telling whoever started the process how it goes. Does not:
making environments, datasets and verdicts (`envfactory_dagster`), or deciding when to train (its assets).

Nothing here is imported by `envfactory_dagster`, and torch is imported only where a model is touched.
"""
