"""Worlds that a language model wrote, as data, and the small model that answers from them: what works without a key.

Belongs here: the form of a world's folder, answering questions from folders, making a folder from a home. Does not:
judging worlds (`authoring`, `truth`, `tasks`), which is done by the same gates whoever answers.
"""
