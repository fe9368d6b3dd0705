"""The built-in model: what answers without a key beside the library. It tests tools, judges by simple signs, embeds.

It is no language model and writes nothing: worlds come from the library, or from a model of the user's. It sees what
any model sees of a request, and of that only the schema name and the JSON context. What answers (`inspector`, `judge`,
`embedder`) imports nothing but `contracts`; the modules around it make that an endpoint of the OpenAI API.
"""
