# The tables and constants of explog_table.go, and testdata/explog.json, by mpmath
# 1.3 with 60 digits. From the folder above:
#
#     python3 testdata/explog.py
import json
import random
import struct

import mpmath as mp

mp.mp.dps = 60
N = 128


def bits(x):
    return struct.unpack("<Q", struct.pack("<d", float(x)))[0]


def double(x):
    """x to the nearest double, as a number."""
    return mp.mpf(float(x))


def atanh_coefficients(terms):
    """2/3, 2/5, ... of 2 atanh(s)/s - 2 in s² for |s| up to 3 - 2 sqrt 2, economised."""
    top = (mp.mpf(3) - 2 * mp.sqrt(2)) ** 2

    def tail(z):
        z = mp.mpf(z)
        if z < mp.mpf(10) ** -20:
            return mp.mpf(2) / 3 + 2 * z / 5
        s = mp.sqrt(z)
        return (2 * mp.atanh(s) / s - 2) / z

    poly, err = mp.chebyfit(tail, [0, top], terms, error=True)
    return poly[::-1], err


with open("explog_table.go", "w") as f:
    f.write("package num\n\n// Made by testdata/explog.py.\n\n")
    f.write("// expTable holds 2^(i/128), as the nearest number and what is left of it,\n")
    f.write("// relative to it.\nvar expTable = [%d]struct{ power, rest float64 }{\n" % N)
    for i in range(N):
        v = mp.mpf(2) ** (mp.mpf(i) / N)
        d = double(v)
        f.write("\t{%s, %s},\n" % (float(d).hex(), float(v / d - 1).hex()))
    f.write("}\n\nconst (\n")
    ln2 = mp.log(2)
    step = ln2 / N
    # 32 bits of the step, so that up to 2^21 steps are exact.
    high = mp.floor(step * 2**39) / 2**39
    f.write("\tstepsPerUnit = %s // 128 / ln 2\n" % float(N / ln2).hex())
    f.write("\tstepHigh = %s // ln 2 / 128, its first 32 bits\n" % float(high).hex())
    f.write("\tstepLow = %s // and the rest\n" % float(step - high).hex())
    high = mp.floor(ln2 * 2**40) / 2**40
    f.write("\tln2High = %s // ln 2, its first 40 bits\n" % float(high).hex())
    f.write("\tln2Low = %s // and the rest\n)\n\n" % float(ln2 - high).hex())
    poly, err = atanh_coefficients(7)
    print("2 atanh(s)/s - 2: error at most", mp.nstr(err, 3))
    f.write("// atanhTable holds the coefficients of (2 atanh(s)/s - 2)/s² in s², for |s| up\n")
    f.write("// to 3 - 2 sqrt 2; near 2/3, 2/5, 2/7, ...\nvar atanhTable = [%d]float64{\n" % len(poly))
    for c in poly:
        f.write("\t%s,\n" % float(c).hex())
    f.write("}\n")

random.seed(1)
xs = [0.0, 1e-300, -1e-300, 1e-9, 0.5, 1.0, -1.0, 709.5, 709.782712893384, -708.0, -745.1, -720.0]
xs += [random.uniform(-700, 700) for _ in range(200)] + [random.uniform(-3, 14) for _ in range(300)]
ys = [5e-324, 1e-310, 2.2250738585072014e-308, 1.7976931348623157e308, 1.0, 2.0, 0.5]
ys += [1 + random.uniform(-1e-3, 1e-3) for _ in range(200)] + [random.uniform(0.5, 2) for _ in range(200)]
ys += [2.0 ** random.uniform(-1000, 1000) for _ in range(200)]
with open("testdata/explog.json", "w") as f:
    rows = {
        "exp": [[x.hex(), float(mp.exp(mp.mpf(x))).hex()] for x in xs],
        "log": [[y.hex(), float(mp.log(mp.mpf(y))).hex()] for y in ys],
    }
    f.write("{\n" + ",\n".join(
        '"%s": [\n%s\n]' % (k, ",\n".join(json.dumps(r) for r in v)) for k, v in rows.items()) + "\n}\n")
