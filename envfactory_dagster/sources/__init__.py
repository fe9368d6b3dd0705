"""Reads the folder given to `expand --data`. Other sources: `authoring.discovery`.

Belongs here: local folders, snapshots, tables, texts, searching; and opening files and parsing, which both use. Does
not: asking a model anything (`authoring`).
"""
