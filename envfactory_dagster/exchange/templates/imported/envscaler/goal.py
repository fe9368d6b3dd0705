"""What stands around a published check; the check comes between the two lines."""


def goal(world):
    initial_state = _state(world.initial)  # noqa: F821, F841
    return check_func(_state(world.final))  # noqa: F821
