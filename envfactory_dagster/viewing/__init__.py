"""Looking at what was made: a web site in one folder, of environments and of the episodes played in them.

Belongs here: gathering what a home or an evaluation holds, the rows that each call changed, pages. Does not: figures
over many environments in SQL (`catalogue`), and serving environments to programs (`runtime.gateway`).
"""
