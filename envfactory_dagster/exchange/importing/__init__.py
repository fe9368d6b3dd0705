"""Environments in the forms of other projects, made into bundles.

Belongs here: one module a form, and what they share. Does not: running published code (`runtime`), and auditing what
was imported (`truth.audit`).
"""
