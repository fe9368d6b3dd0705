"""The assets: one thin declaration each, one module per group.

Belongs here: declarations, and the factory that turns a stage into an asset. Does not: how artifacts are made and
judged (the rooms below), when they are made (`sensors`), and on what (`resources`).
"""
