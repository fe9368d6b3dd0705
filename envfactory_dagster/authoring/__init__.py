"""Making the artifacts of an environment with a model: one module per artifact, each with its prompt and its gate.

Belongs here: what is asked, how an answer is judged before it is kept, how a model is told what to mend. Does not: how
a question travels (`language`), what is done with the artifacts (`runtime`, `truth`), or when they are made (`assets`).
"""
