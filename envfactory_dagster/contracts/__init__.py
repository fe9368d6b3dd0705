"""The artifacts as models: the only vocabulary that rooms share.

Belongs here: versioned Pydantic models of every artifact, the layout of an environment bundle, the outcome of a tool
call, the exception tree. Does not: anything that makes, judges, stores or runs an artifact.
"""
