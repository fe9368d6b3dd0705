"""Serving environments to programs that are not ours: REST, and the Model Context Protocol over HTTP and stdio.

Belongs here: who holds which session, limits and idle time, what outsiders may ask for, how answers look on the wire.
Does not: running tools (`runtime`), and anything that resets or judges: those who act in an environment may do neither.
"""
