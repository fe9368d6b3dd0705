"""The embedded model's other roles: a solver that works with tools, and the person it works for.

Belongs here: answering chats that carry tools or play a person. Does not: authoring. Nothing here imports the author's
code: these roles know only what they are shown, as any model would.
"""
