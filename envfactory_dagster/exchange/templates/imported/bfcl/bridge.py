"""Calls the classes of a multi-turn environment of BFCL. Those that a task does not involve are not there."""

import json

PACKAGE = "bfcl_eval.eval_checker.multi_turn_eval.func_source_code."


def start(given):
    state = {}
    for name, module, config in given["classes"]:
        instance = getattr(__import__(PACKAGE + module, fromlist=[name]), name)()
        if hasattr(instance, "_load_scenario"):
            instance._load_scenario(config)
        state[name] = instance
    return state


def call(state, tool, arguments):
    instance = next((one for one in state.values() if callable(getattr(one, tool, None))), None)
    if instance is None:
        raise ValueError(f"{tool} is not there in this task")
    value = getattr(instance, tool)(**arguments)
    if isinstance(value, dict) and set(value) == {"error"}:
        raise ValueError(str(value["error"]))
    return json.loads(json.dumps(value, default=str))
