"""In the place of mpmath: logarithms of so many digits, which is all that is asked of it."""

from decimal import Decimal, getcontext


class _Precision:
    @property
    def dps(self):
        return getcontext().prec

    @dps.setter
    def dps(self, digits):
        getcontext().prec = max(1, digits)


mp = _Precision()


def log(value):
    return Decimal(value).ln()
