"""On what the assets run: ConfigurableResources that wrap the rooms below, and the Dagster instance itself.

Belongs here: typed configuration of the store, the models and the runtime; the instance's configuration file and its
event log. Does not: anything the rooms can do without Dagster.
"""
