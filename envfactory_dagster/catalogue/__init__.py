"""The catalogue: everything that was made, as tables one can ask questions of.

Belongs here: DuckDB views over the files of a home (`catalog.sql`), questions that come with it (`queries/`), asking
(`opening`). Does not: writing any of these files (`store`, `language`, `rollouts`); the catalogue only ever reads.
"""
