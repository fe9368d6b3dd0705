"""A calculator in the form of BFCL's, written for the tests."""

import mpmath


class MathAPI:
    def logarithm(self, value, base, precision):
        mpmath.mp.dps = precision
        return {"result": mpmath.log(value) / mpmath.log(base)}
