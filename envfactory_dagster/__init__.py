"""Executable, verified tool-use environments, made as partitioned Dagster assets."""
