"""What users bring to be mined: documents in folders, read the same way now and when a world is made anew from them.

Belongs here: fetchers, snapshots, reading tables and texts, searching. Does not: asking a model anything (`authoring`).
"""
