"""What `envfactory …` can do, one module a command or a group of them.

Belongs here: arguments, printing, finding what a person names. Does not: the work itself. Heavy imports are made inside
the commands, so that `envfactory --help` is quick.
"""
