"""Trying tool code before it is kept: what can be read off it, and what it does when it is called in the sandbox.

Belongs here: the gate of the server code, in pure parts, and the one function that runs it (`gate.try_functions`).
Does not: asking for the code (`server_code`), or putting it into one module (`tool_module`).
"""
