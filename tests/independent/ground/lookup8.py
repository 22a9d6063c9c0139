"""Jenkins' 64-bit lookup8 hash: record ids are the hash of the record's name, seed 0."""

U64 = (1 << 64) - 1
SHIFTS = (43, 9, 8, 38, 23, 5, 35, 49, 11, 12, 18, 22)


def _mix(a, b, c):
    for step, shift in enumerate(SHIFTS):
        a = (a - b - c) & U64
        a ^= (c << shift) & U64 if step % 3 == 1 else c >> shift
        a, b, c = b, c, a  # the next step changes the next variable
    return a, b, c


def hash64(key, seed=0):
    a = b = seed
    c = 0x9E3779B97F4A7C13
    whole = len(key) // 24 * 24
    for at in range(0, whole, 24):
        a, b, c = (
            (x + int.from_bytes(key[at + i:at + i + 8], "little")) & U64
            for x, i in ((a, 0), (b, 8), (c, 16)))
        a, b, c = _mix(a, b, c)
    rest = key[whole:]
    a = (a + int.from_bytes(rest[:8], "little")) & U64
    b = (b + int.from_bytes(rest[8:16], "little")) & U64
    # The low byte of c belongs to the length.
    c = (c + len(key) + (int.from_bytes(rest[16:], "little") << 8)) & U64
    return _mix(a, b, c)[2]
