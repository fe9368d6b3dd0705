"""Exporting environments to other projects, importing theirs, and playing one episode from Python.

Belongs here: `exporting` and `forms` (the exported folder), `templates` (code that runs in the other project and
imports nothing of ours), `importing` (what others published becomes a bundle), `playing` (`envfactory_dagster.play`).
Does not: bundles themselves (`contracts.bundle`), how they judge (`runtime.standalone_judge`), and dataset rows for
trainers (`datasets.trainer_formats`).
"""
