"""In the place of mpmath: quotients of logarithms in so many digits, which is all that is asked of it."""

from decimal import Decimal, localcontext


class _Precision:
    dps = 15


mp = _Precision()


class Number:
    def __init__(self, value):
        self._value = value

    def __truediv__(self, other):
        with localcontext() as context:
            context.prec = mp.dps + 10
            return Number(self._value / other._value)

    def __str__(self):
        """As mpmath writes it: so many significant digits, without zeros at the end but for one behind the point."""
        with localcontext() as context:
            context.prec = max(1, mp.dps)
            text = f"{+self._value:f}"
        whole, _, digits = text.partition(".")
        return f"{whole}.{digits.rstrip('0') or '0'}"


def log(value):
    with localcontext() as context:
        context.prec = mp.dps + 10
        return Number(Decimal(value).ln())
