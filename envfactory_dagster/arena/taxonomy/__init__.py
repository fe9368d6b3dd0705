"""The taxonomy of the released environments: clusters, their labels, categories of labels.

Belongs here: everything between the environments' descriptions and a `Taxonomy`. Does not: what is drawn by it (the
rest of `arena`).
"""
