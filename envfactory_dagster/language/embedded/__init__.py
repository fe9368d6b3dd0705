"""The embedded model: a procedural author behind an OpenAI-compatible app, deterministic, needing no key.

It sees what any model sees of a request, and of that only the schema name and the JSON context. A theme leads to the
same plan at every stage (`plan`), a plan to the same rows (`world`), tables and tools (`compose`), and tasks
(`tasks`). What it knows is in `modules` (capabilities) and `blueprints` (domains). It imports nothing but `contracts`.
"""
