"""Reads the folder given to `expand --data`, and fetches into one what `fetch` names. Other sources:
`authoring.discovery`.

Belongs here: the web and MCP servers, local folders, snapshots, tables, texts, searching; and opening files and
parsing, which all use. Does not: asking a model anything (`authoring`).
"""
