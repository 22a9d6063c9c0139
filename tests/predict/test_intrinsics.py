"""LLVM's own functions: each is run by the processor with numbers of chance, and the prediction computes the same, or says that it does not know."""

import os
import random
import shutil
import subprocess

from conftest import predict, totals

FULL = os.environ.get("TRIKAL_FULL") == "1"
INPUTS = 200 if FULL else 12
INTEGERS = {"u8": "unsigned char", "i8": "signed char", "u16": "unsigned short", "i16": "short", "u32": "unsigned", "i32": "int",
            "u64": "unsigned long", "i64": "long"}
REALS = {"f32": "float", "f64": "double"}
# by the kinds of numbers they are for: expressions of a, b and c
ELEMENTS = {"i": ["__builtin_elementwise_add_sat(a, b)", "__builtin_elementwise_sub_sat(a, b)", "__builtin_elementwise_max(a, b)",
                  "__builtin_elementwise_min(a, b)", "__builtin_elementwise_bitreverse(a)"],
            "f": [f"__builtin_elementwise_{name}(a)" for name in
                  "abs ceil floor trunc round roundeven rint nearbyint sqrt sin cos exp exp2".split()]
            + ["__builtin_elementwise_log(__builtin_elementwise_abs(a))", "__builtin_elementwise_log2(__builtin_elementwise_abs(a))",
               "__builtin_elementwise_log10(__builtin_elementwise_abs(a))", "__builtin_elementwise_copysign(a, b)",
               "__builtin_elementwise_fma(a, b, c)", "__builtin_elementwise_max(a, b)", "__builtin_elementwise_min(a, b)",
               "__builtin_elementwise_pow(__builtin_elementwise_abs(a), b)"]}
SCALARS = {"u32": ["__builtin_popcount(a)", "__builtin_clz(a | 1)", "__builtin_ctz(a | 4)", "__builtin_bswap32(a)",
                   "__builtin_rotateleft32(a, b)", "__builtin_rotateright32(a, b)", "__builtin_parity(a)", "__builtin_ffs((int)a)"],
           "u64": ["__builtin_popcountl(a)", "__builtin_clzl(a | 1)", "__builtin_ctzl(a | 8)", "__builtin_bswap64(a)",
                   "__builtin_rotateleft64(a, b)"],
           "u16": ["__builtin_bswap16(a)", "__builtin_rotateleft16(a, b)"], "u8": ["__builtin_rotateleft8(a, b)"],
           "i32": ["__builtin_abs(a | 1)", "({ int r; __builtin_sadd_overflow(a, b, &r) + r; })",
                   "({ int r; __builtin_smul_overflow(a, b, &r) ^ r; })", "({ int r; __builtin_ssub_overflow(a, b, &r) ^ r; })"],
           "i64": ["({ long r; __builtin_saddl_overflow(a, b, &r) ^ r; })", "({ long r; __builtin_smull_overflow(a, b, &r) ^ r; })"],
           "f64": ["__builtin_powi(a, 3)", "__builtin_fmax(a, b)", "(double)__builtin_lround(a)", "(double)__builtin_llrint(a)",
                   "(double)__builtin_isfinite(a)", "(double)__builtin_isnormal(b)", "(double)__builtin_isnan(a - a)", "a * b + c"],
           "f32": ["__builtin_powif(a, -2)", "__builtin_fmaf(a, b, c)", "(float)__builtin_lroundf(a)", "(float)__builtin_isinf(a)", "a * b + c"]}
REDUCTIONS = {"i": ["add", "mul", "and", "or", "xor", "max", "min"], "f": ["max", "min"]}
HEAD = """
#include <stdio.h>
#include <string.h>
static unsigned long seed;
static unsigned long next(void) { seed ^= seed << 13; seed ^= seed >> 7; seed ^= seed << 17; return seed; }
static void put(const char* name, unsigned long times) {
  FILE* out = fopen(name, "w");
  for (unsigned long i = 0; i < times; i++) fputc('x', out);
  fclose(out);
}
#define FILL_INTEGER(x) do { unsigned long bits[4] = {next(), next(), next(), next()}; memcpy(&x, bits, sizeof x); } while (0)
#define FILL_REAL(x, T) do { T* p = (T*)&x; for (unsigned k = 0; k < sizeof x / sizeof(T); k++) \\
  p[k] = (T)((double)(next() % 20001) / 128.0 - 77.5); } while (0)
#define ADD(r) do { unsigned char bytes[sizeof r]; memcpy(bytes, &r, sizeof r); \\
  for (unsigned k = 0; k < sizeof r; k++) sum = (sum ^ bytes[k]) * 1099511628211UL; } while (0)
"""


def functions():
    """(what it is called, type of the arguments, its declaration, expression)"""
    for kind, name in {**INTEGERS, **REALS}.items():
        family = "f" if kind in REALS else "i"
        lanes = 16 // {"8": 1, "16": 2, "32": 4, "64": 8}[kind[1:]]
        vector = f"typedef {name} v_{kind} __attribute__((vector_size(16)));"
        for expression in ELEMENTS[family]:
            yield f"v_{kind}", vector, expression
        for reduction in REDUCTIONS[family]:
            yield f"v_{kind}", vector, f"__builtin_reduce_{reduction}(a)"
        for expression in SCALARS.get(kind, []):
            yield f"s_{kind}", f"typedef {name} s_{kind};", expression
        assert lanes >= 2


def test_intrinsics_by_chance(tmp_path, cache):
    compiler = shutil.which("clang-19")
    assert compiler, "clang-19 is missing: scripts/install-deps"
    chance, text, names, main = random.Random(7), [HEAD], {}, []
    declared = set()
    for number, (kind, declaration, expression) in enumerate(functions()):
        name = names[f"{number:03d}"] = f"{kind}: {expression}"
        if declaration not in declared:
            text.append(declaration)
            declared.add(declaration)
        fill = f"FILL_REAL({{}}, {REALS[kind[2:]]})" if kind[2:] in REALS else "FILL_INTEGER({})"
        text.append(f"static void f{number:03d}(void) {{  // {name}\n  unsigned long sum = 14695981039346656037UL;\n"
                    f"  for (int i = 0; i < {INPUTS}; i++) {{\n    {kind} a, b, c;\n    " +
                    " ".join(fill.format(one) + ";" for one in "abc") +
                    f"\n    __typeof__({expression}) r = {expression};\n    ADD(r); (void)b, (void)c;\n  }}\n"
                    f"  put(\"{number:03d}\", sum % 199);\n}}\n")
        main.append(f"  seed = {chance.getrandbits(60) | 1}UL, f{number:03d}();")
    text.append("int main(void) {\n" + "\n".join(main) + "\n  return 0;\n}\n")
    (tmp_path / "all.c").write_text("\n".join(text))
    (tmp_path / "run").mkdir()
    subprocess.run([compiler, "-O0", "-w", "-o", tmp_path / "program", tmp_path / "all.c", "-lm"], check=True)
    subprocess.run([tmp_path / "program"], cwd=tmp_path / "run", check=True)
    told, files = predict(tmp_path, cache, [tmp_path / "all.c"], [])
    flagged = {os.path.basename(row["file"]) for row in told["predictions"][0]["accesses"] if row["certainty"] == "assumed"}
    wrong = [names[number] for number in names if number not in flagged and
             totals({number: files.get(str(tmp_path / number), {})}).get("STDIO_BYTES_WRITTEN", 0) != (tmp_path / "run" / number).stat().st_size]
    assert wrong == []
    assert sorted(names[number] for number in flagged) == []  # all of these have a model
    assert len(names) > 100
