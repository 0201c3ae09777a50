# SPDX-License-Identifier: MIT
"""Exact IEEE arithmetic on bit patterns, with the GPU's rules for NaN,
denormals and rounding. Written from the manual with rational numbers, so that
it shares nothing with the model."""
from fractions import Fraction

FORMATS = {16: (5, 10), 32: (8, 23), 64: (11, 52)}


class Fmt:
    def __init__(self, bits):
        self.bits = bits
        self.ebits, self.mbits = FORMATS[bits]
        self.bias = (1 << (self.ebits - 1)) - 1
        self.emax = (1 << self.ebits) - 1
        self.sign = 1 << (bits - 1)
        self.inf = self.emax << self.mbits
        self.quiet = 1 << (self.mbits - 1)
        self.nan = self.inf | self.quiet
        self.max = self.inf - 1

    def exp(self, u):
        return u >> self.mbits & self.emax

    def mant(self, u):
        return u & ((1 << self.mbits) - 1)

    def isnan(self, u):
        return self.exp(u) == self.emax and self.mant(u) != 0

    def issnan(self, u):
        return self.isnan(u) and not u & self.quiet

    def isinf(self, u):
        return u & ~self.sign == self.inf

    def isdenorm(self, u):
        return self.exp(u) == 0 and self.mant(u) != 0

    def neg(self, u):
        return u ^ self.sign

    def flush(self, u):
        return u & self.sign if self.exp(u) == 0 else u

    def value(self, u):
        """Fraction of a finite number."""
        m, e = self.mant(u), self.exp(u)
        if e:
            m |= 1 << self.mbits
        else:
            e = 1
        v = Fraction(m) * Fraction(2) ** (e - self.bias - self.mbits)
        return -v if u & self.sign else v

    def round(self, v, mode=0, negative_zero=False):
        """Fraction to bits. Modes of MODE: 0 nearest even, 1 up, 2 down, 3 to zero."""
        if v == 0:
            return self.sign if negative_zero else 0
        s, a = (self.sign, -v) if v < 0 else (0, v)
        e = a.numerator.bit_length() - a.denominator.bit_length()
        if Fraction(2) ** e > a:
            e -= 1
        e = max(e, 1 - self.bias)
        scaled = a / Fraction(2) ** (e - self.mbits)
        n = scaled.numerator // scaled.denominator
        rest = scaled - n
        up = {0: rest > Fraction(1, 2) or (rest == Fraction(1, 2) and n & 1), 1: rest and not s,
              2: rest and s, 3: False}[mode]
        n += 1 if up else 0
        if n >> (self.mbits + 1):
            n >>= 1
            e += 1
        if e > self.bias:
            away = mode == 0 or (mode == 1 and not s) or (mode == 2 and s)
            return s | (self.inf if away else self.max)
        if n < 1 << self.mbits:
            return s | n  # denormal or zero
        return s | (e + self.bias) << self.mbits | (n & ((1 << self.mbits) - 1))

    # --- operations; a NaN that came in is quieted, one made here is positive

    def _nan(self, *ops):
        for u in ops:
            if self.isnan(u):
                return u | self.quiet
        return None

    def add(self, a, b, mode=0):
        n = self._nan(a, b)
        if n is not None:
            return n
        if self.isinf(a):
            return self.nan if self.isinf(b) and a != b else a
        if self.isinf(b):
            return b
        v = self.value(a) + self.value(b)
        if v == 0:
            both = a & b & self.sign
            same = (a ^ b) & self.sign == 0
            return both if same else (self.sign if mode == 2 else 0)
        return self.round(v, mode)

    def mul(self, a, b, mode=0):
        n = self._nan(a, b)
        if n is not None:
            return n
        s = (a ^ b) & self.sign
        if self.isinf(a) or self.isinf(b):
            zero = a & ~self.sign == 0 or b & ~self.sign == 0
            return self.nan if zero else s | self.inf
        v = self.value(a) * self.value(b)
        return s if v == 0 else self.round(v, mode)

    def fma(self, a, b, c, mode=0):
        n = self._nan(a, b, c)
        if n is not None:
            return n
        s = (a ^ b) & self.sign
        if self.isinf(a) or self.isinf(b):
            if a & ~self.sign == 0 or b & ~self.sign == 0:
                return self.nan
            return self.nan if self.isinf(c) and c != s | self.inf else s | self.inf
        if self.isinf(c):
            return c
        p = self.value(a) * self.value(b)
        v = p + self.value(c)
        if v == 0:
            if p == 0 and self.value(c) == 0 and s == c & self.sign:
                return s
            return self.sign if mode == 2 else 0
        return self.round(v, mode)

    def less(self, a, b):
        if self.isnan(a) or self.isnan(b):
            return False
        return self.key(a) < self.key(b) and not (a | b) & ~self.sign == 0

    def equal(self, a, b):
        if self.isnan(a) or self.isnan(b):
            return False
        return a == b or (a | b) & ~self.sign == 0

    def key(self, u):
        return -(u & ~self.sign) - 1 if u & self.sign else u

    def to_int(self, u, lo, hi):
        if self.isnan(u):
            return 0
        if self.isinf(u):
            return lo if u & self.sign else hi
        v = self.value(u)
        n = abs(v).numerator // abs(v).denominator
        n = -n if v < 0 else n
        return max(lo, min(hi, n))

    def integral(self, u, how):
        """trunc, floor, ceil, even"""
        if self.isnan(u):
            return u | self.quiet
        if self.isinf(u):
            return u
        v = self.value(u)
        fl = v.numerator // v.denominator
        if how == 'trunc':
            n = fl if v >= 0 or v == fl else fl + 1
        elif how == 'floor':
            n = fl
        elif how == 'ceil':
            n = fl if v == fl else fl + 1
        else:
            r = v - fl
            n = fl + (1 if r > Fraction(1, 2) or (r == Fraction(1, 2) and fl & 1) else 0)
        if n == 0:
            return u & self.sign
        return self.round(Fraction(n))

    def convert(self, to, u, mode=0):
        if self.isnan(u):
            m = self.mant(u)
            shift = to.mbits - self.mbits
            m = m << shift if shift >= 0 else m >> -shift
            return (to.sign if u & self.sign else 0) | to.nan | m
        if self.isinf(u):
            return (to.sign if u & self.sign else 0) | to.inf
        return to.round(self.value(u), mode, bool(u & self.sign))


F16, F32, F64 = Fmt(16), Fmt(32), Fmt(64)
