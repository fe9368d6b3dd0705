"""Where artifacts live: a folder or an object store, and the memo of finished work.

Belongs here: the layout of ENVFACTORY_HOME, reading and writing records and bundles all at once, locks between
processes, running a stage only when its inputs changed. Does not: what an artifact means (`contracts`), how it is made
(`authoring`), and the ledger and cache of model calls (`language`).
"""
