"""A client of this environment's server."""

from openenv.core.generic_client import GenericEnvClient

__all__ = ["GenericEnvClient"]
