"""Programs that nobody wrote: parts of what scientists' programs are made of, with numbers of chance. Every part computes something in
a loop whose beginning says nothing of its end, and writes as many bytes as it came to."""

import random

ALPHABET = "aaaaaaab  .,;1234567890xyz"


def text_of(chance, length):
    """With long stretches of one character: what tempts to skip."""
    out = ""
    while len(out) < length:
        out += chance.choice(ALPHABET) * chance.choice([1, 1, 2, 5, 20, 40])
    return out[:length]


def table_of(chance, length, most=9):
    out = []
    while len(out) < length:
        out += [chance.randint(0, most)] * chance.choice([1, 1, 3, 8, 30])
    return out[:length]


def numbers(values):
    return ", ".join(map(str, values))


# --- C. Each gives statements that leave a count in `n`.

def scan_text(c):
    text, stop = text_of(c, c.randint(40, 250)), c.choice("b .,;159xz")
    way = c.choice([f"strchr(\"{stop}q\", t[i]) != NULL", f"t[i] == '{stop}'", "isdigit((unsigned char)t[i])", "isspace((unsigned char)t[i])",
                    f"strncmp(&t[i], \"{text[-c.randint(2, 9):]}\", 2) == 0"])
    do = c.choice(["n = i; break;", "n += 3;", "n ^= i;"])
    return f'static const char t[] = "{text}"; for (int i = 0; t[i] != 0; i++) {{ n++; if ({way}) {{ {do} }} }}'


def switch_text(c):
    text = text_of(c, c.randint(60, 250))
    return (f'static const char t[] = "{text}"; int state = 0; for (int i = 0; i < {len(text)}; i++) switch (t[i]) {{ case \'a\': n += 1 + state; break; '
            f"case ' ': state = {c.randint(0, 3)}; break; case '.': case ',': n += {c.randint(2, 90)}; break; case 'b': state ^= 1; break; default: n += 2; }}")


def words_of_text(c):
    text = text_of(c, c.randint(60, 300))
    return (f'char t[] = "{text}"; for (char* w = strtok(t, " ,;"); w != NULL; w = strtok(NULL, " ,;")) '
            f"n += (long)strlen(w) + (atoi(w) % {c.randint(5, 50)});")


def names_in_table(c):
    words = [c.choice(["north", "north", "north", "south", "east"]) for _ in range(c.randint(20, 60))]
    words = [w for w in words for _ in range(c.choice([1, 1, 6]))]
    kind = c.choice(["static const char* const", "static const char"])
    shape = "w[]" if "*" in kind else "w[][8]"
    listed = ", ".join(f'"{w}"' for w in words)
    return (f"{kind} {shape} = {{{listed}}}; for (int i = 0; i < {len(words)}; i++) {{ if (strcmp(w[i], \"{c.choice(words)}\") == 0) n += i; "
            f"else n += (long)strlen(w[i]); {'if (n > 900) break;' if c.random() < .5 else ''} }}")


def walk_table(c):
    length = c.randint(50, 400)
    table, step = table_of(c, length), c.choice([1, 1, 2, 3])
    test = c.choice(["v[i] > 7", "v[i] == v[(i + 9) % L]", "(v[i] & 3) == 1", "v[i] * 3 % 5 == 2", "v[i] != v[0]"])
    do = c.choice(["n += v[i];", "n += 7; if (n > 700) break;", "n = n * 3 % 1009;", "{ n += i; break; }"])
    return (f"enum {{ L = {length} }}; static const {c.choice(['int', 'short', 'unsigned char', 'long'])} v[L] = {{{numbers(table)}}}; "
            f"for (int i = 0; i < L; i += {step}) {{ n++; if ({test}) {do} }}")


def follow_links(c):
    size = c.randint(30, 300)
    return (f"static int next[{size}]; for (int i = 0; i < {size}; i++) next[i] = (i * {c.randint(1, 40)} + {c.randint(1, 20)}) % {size}; "
            f"int at = {c.randint(0, size - 1)}; do at = next[at], n++; while (at > {c.randint(0, 5)} && n < {c.randint(50, 2000)});")


def writes_ahead(c):
    size, lag = c.randint(200, 900), c.randint(3, 150)
    when = c.choice([f"i > {c.randint(5, 60)}", f"i % {c.randint(2, 50)} == 0", "1"])
    return (f"static unsigned char m[{size + 200}]; for (int i = 0; i < {size}; i++) {{ if (m[i]) {{ n += {c.choice(['1', 'i', 'm[i]'])}; "
            f"{c.choice(['break;', 'continue;', ''])} }} if ({when}) m[i + {lag}] {c.choice(['=', '+=', '^='])} {c.randint(1, 3)}; }}")


def sieve(c):
    size = c.randint(200, 2000)
    return (f"static char s[{size}]; for (int i = 2; i < {size}; i++) {{ if (s[i]) continue; n++; "
            f"for (int k = {c.choice(['2 * i', 'i * i'])}; k < {size}; k += i) s[k] = 1; }}")


def sums_of_reals(c):
    kind = c.choice(["double", "double", "float"])
    step, end = c.choice(["0.1", "0.01", "0.3", "1e-3", "0.7"]), c.choice(["10", "25.5", "100"])
    return (f"{kind} t = 0, next = {step}; for (t = 0; t {c.choice(['<', '<='])} ({kind}){end}; t += ({kind}){step}) {{ n++; "
            f"if (t >= next) n += {c.randint(1, 5)}, next += ({kind}){c.choice(['0.25', '1.1', '3'])}; }} n %= 5003;")


def grid_of_reals(c):
    size = c.randint(8, 20)
    return (f"enum {{ S = {size} }}; static double u[2][S][S]; for (int i = 0; i < S; i++) u[0][0][i] = u[1][0][i] = {c.randint(1, 90)}.5; "
            f"double worst = 1; while (worst > {c.choice(['0.05', '0.5', '0.9'])} && n < 300) {{ worst = 0; const int a = (int)(n & 1); n++; "
            "for (int i = 1; i < S - 1; i++) for (int k = 1; k < S - 1; k++) { const double x = 0.25 * (u[a][i - 1][k] + u[a][i + 1][k] + "
            "u[a][i][k - 1] + u[a][i][k + 1]), d = fabs(x - u[a][i][k]); u[1 - a][i][k] = x; if (d > worst) worst = d; } } "
            "for (int i = 0; i < S; i++) n += u[0][S / 2][i] > 1;")


def mathematics(c):
    function = c.choice(["sin(0.1 * i)", "cos(i)", "sqrt(i)", "exp(-0.05 * i)", "log(i + 1)", "pow(i, 0.3)", "fmod(i, 3.7)", "floor(i / 7.0)"])
    return f"for (int i = 0; i < {c.randint(60, 500)}; i++) if ({function} > {c.choice(['0.5', '0.1', '2', '0.9'])}) n += {c.randint(1, 4)};"


def generator(c):
    kind = c.choice(["unsigned", "unsigned long", "unsigned short"])
    return (f"{kind} x = {c.randint(1, 60000)}; for (int i = 0; i < {c.randint(100, 3000)}; i++) {{ x = ({kind})(x * {c.choice([25173, 75, 1103515245])}u + "
            f"{c.choice([13849, 74, 12345])}u); if ((x >> {c.randint(1, 9)} & {c.choice([3, 7, 15])}) == {c.randint(0, 3)}) n++; }}")


def shuffled(c):
    size = c.randint(20, 120)
    return (f"int v[{size}]; srand({c.randint(1, 99)}); for (int i = 0; i < {size}; i++) v[i] = rand() % {c.randint(5, 200)}; "
            f"qsort(v, {size}, sizeof *v, ascending); for (int i = 1; i < {size}; i++) n += v[i] == v[i - 1] ? 3 : 1; n += v[{c.randint(0, size - 1)}];")


def printed(c):
    form = c.choice(["%d", "%6.2f", "%g", "%s-%d", "%x", "%e", "%05d"])
    value = {"%6.2f": "i * 1.7", "%g": "i / 3.0", "%e": "i * 1e3", "%s-%d": 'i % 3 ? "a" : "longer", i'}.get(form, f"i * {c.randint(1, 900)}")
    return f'char b[64]; for (int i = 0; i < {c.randint(10, 300)}; i++) n += snprintf(b, sizeof b, "{form}", {value});'


def read_back(c):
    lines = c.randint(5, 80)
    return (f'FILE* f = fopen("back.txt", "w"); for (int i = 0; i < {lines}; i++) fprintf(f, "%d %s\\n", i * i % {c.randint(7, 90)}, i % 5 ? "on" : "off"); '
            'fclose(f); f = fopen("back.txt", "r"); char b[80], w[40]; int x; while (fgets(b, sizeof b, f)) if (sscanf(b, "%d %39s", &x, w) == 2 && '
            f'strcmp(w, "{c.choice(["on", "off"])}") == 0) n += x; fclose(f);')


def records(c):
    return (f'FILE* f = fopen("r.bin", "w+b"); for (int i = 0; i < {c.randint(20, 300)}; i++) {{ int r[4] = {{i, i * 7 % {c.randint(5, 40)}, 0, 1}}; '
            f'fwrite(r, sizeof r, 1, f); if (i % {c.randint(3, 30)} == 0) fflush(f); }} fseek(f, {16 * c.randint(0, 9)}, SEEK_SET); int r[4]; '
            f'while (fread(r, sizeof r, 1, f) == 1) if (r[1] > {c.randint(2, 9)}) n++; fclose(f);')


def file_by_step(c):
    return (f'for (int i = 0; i < {c.randint(20, 200)}; i++) if (i % {c.randint(5, 30)} == {c.randint(0, 4)}) {{ char b[32]; sprintf(b, "s-%03d", i); '
            f'FILE* f = fopen(b, "w"); for (int k = 0; k < i % {c.randint(3, 40)}; k++) fputs("xyz\\n", f); fclose(f); n++; }}')


def list_of_nodes(c):
    return (f"struct node {{ struct node* next; int v; }} *head = NULL; for (int i = 0; i < {c.randint(10, 150)}; i++) {{ struct node* one = malloc(sizeof *one); "
            f"one->v = i * {c.randint(1, 30)} % {c.randint(5, 60)}; one->next = head; head = one; }} while (head) {{ struct node* one = head; n += one->v > "
            f"{c.randint(1, 9)}; if (one->v == {c.randint(1, 40)}) n += 50; head = one->next; free(one); }}")


C_PARTS = [scan_text, switch_text, words_of_text, names_in_table, walk_table, follow_links, writes_ahead, sieve, sums_of_reals, grid_of_reals,
           mathematics, generator, shuffled, printed, read_back, records, file_by_step, list_of_nodes]
C_HEAD = """#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static void put(const char* name, long n) {
  FILE* out = fopen(name, "w");
  if (n < 0) n = -n;
  for (long i = 0; i < n % 4999; i++) fputc('x', out);
  fclose(out);
}
static int ascending(const void* a, const void* b) { return *(const int*)a - *(const int*)b; }
"""


def c_program(seed, parts=6):
    c = random.Random(seed)
    body, calls = [], []
    for number in range(parts):
        part = c.choice(C_PARTS)
        body.append(f"static void part{number}(void) {{  // {part.__name__}\n  long n = 0;\n  {part(c)}\n  put(\"part{number}\", n);\n}}\n")
        calls.append(f"  part{number}();")
    return C_HEAD + "\n".join(body) + "int main(void) {\n" + "\n".join(calls) + "\n  return 0;\n}\n"


def cpp_program(seed):
    c = random.Random(seed)
    words = [c.choice(["alpha", "beta", "gamma", "delta"]) for _ in range(c.randint(20, 60))]
    return f"""#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>
static void put(const std::string& name, long n) {{
  std::ofstream out(name);
  for (long i = 0; i < n % 4999; i++) out.put('x');
}}
int main() {{
  const std::vector<std::string> words = {{{", ".join(f'"{w}"' for w in words)}}};
  std::map<std::string, long> counts;
  long n = 0;
  for (const auto& word : words) counts[word] += static_cast<long>(word.size());
  for (const auto& [word, count] : counts) n += count * static_cast<long>(word.find('a') + 1);
  put("words", n);
  std::vector<int> v = {{{numbers(table_of(c, c.randint(40, 200)))}}};
  n = std::count_if(v.begin(), v.end(), [](int x) {{ return x > {c.randint(1, 8)}; }});
  const auto first = std::find(v.begin(), v.end(), {c.randint(0, 9)});
  put("found", n + (first - v.begin()));
  std::sort(v.begin(), v.end());
  put("distinct", std::unique(v.begin(), v.end()) - v.begin());
  std::ostringstream text;
  for (int i = 0; i < {c.randint(20, 200)}; i++) text << i * {c.randint(1, 99)} << (i % {c.randint(2, 9)} ? ',' : '\\n');
  std::istringstream in(text.str());
  std::string line;
  n = 0;
  while (std::getline(in, line)) n += static_cast<long>(line.size()) % {c.randint(3, 30)};
  put("lines", n);
  std::ofstream log("log.txt");
  for (int i = 0; i < {c.randint(10, 400)}; i++) {{
    log << "step " << i << ' ' << i * {c.choice(['0.5', '0.1', '1.25'])} << '\\n';
    if (i % {c.randint(3, 40)} == 0) log.flush();
  }}
}}
"""


def fortran_program(seed):
    c = random.Random(seed)
    size = c.randint(10, 60)
    return f"""program made
 implicit none
 integer, parameter :: n = {size}
 real(8) :: u(n), t, next
 integer :: i, k, steps, v(n), ios
 character(len=80) :: line
 u = 0; u({c.randint(2, size - 1)}) = {c.randint(1, 100)}.5d0; t = 0; next = {c.choice(['0.2d0', '1d0'])}; steps = 0
 open(10, file='log.txt')
 do while (t < {c.choice(['2.0d0', '5.5d0', '1.05d0'])})
   do i = 2, n - 1
     u(i) = 0.25d0 * (u(i-1) + 2 * u(i) + u(i+1))
   end do
   t = t + {c.choice(['0.01d0', '0.1d0', '0.03d0'])}; steps = steps + 1
   if (t >= next) then
     write(10,'(a,i6,f12.5)') 'step', steps, sum(u); next = next + {c.choice(['0.25d0', '0.6d0'])}
   end if
 end do
 close(10)
 v = [(mod(i * {c.randint(2, 90)}, {c.randint(5, 50)}), i = 1, n)]
 open(11, file='list.txt'); write(11,*) v, maxval(v), count(v > {c.randint(1, 9)}); close(11)
 open(12, file='raw.bin', form='unformatted', access='stream')
 do i = 1, n
   if (v(i) > {c.randint(1, 12)}) write(12) u(1:mod(i, 7) + 1)
 end do
 close(12)
 open(13, file='list.txt', status='old'); k = 0
 do
   read(13,'(a)',iostat=ios) line
   if (ios /= 0) exit
   k = k + len_trim(line)
 end do
 close(13)
 open(14, file='k.txt'); write(14,'(i0)') k, steps; close(14)
end program
"""


def mpi_program(seed):
    c = random.Random(seed)
    operation, kind, name = c.choice(["SUM", "MAX", "MIN"]), *c.choice([("long", "LONG"), ("int", "INT"), ("double", "DOUBLE")])
    return f"""#include <mpi.h>
{C_HEAD}
static int rank, ranks;
static void mine(const char* name, long n) {{ char b[40]; sprintf(b, "%s.%d", name, rank); put(b, n); }}
int main(int argc, char** argv) {{
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  {kind} value = ({kind})((rank + {c.randint(1, 9)}) * {c.randint(1, 40)} % {c.randint(20, 90)}), all = 0;
  MPI_{c.choice(['Allreduce', 'Scan'])}(&value, &all, 1, MPI_{name}, MPI_{operation}, MPI_COMM_WORLD);
  mine("all", (long)all);
  int seed = rank == {c.randint(0, 1)} ? {c.randint(10, 400)} : 0;
  MPI_Bcast(&seed, 1, MPI_INT, {c.randint(0, 1)}, MPI_COMM_WORLD);
  mine("seed", seed);
  double left = 0, right = rank * {c.choice(['1.5', '2.25'])};
  for (int step = 0; step < {c.randint(3, 25)}; step++) {{
    MPI_Sendrecv(&right, 1, MPI_DOUBLE, (rank + 1) % ranks, 0, &left, 1, MPI_DOUBLE, (rank + ranks - 1) % ranks, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    right = 0.5 * (left + right) + {c.choice(['0.1', '1'])};
    if (right > {c.randint(2, 9)}) mine("passed", step + 1);
  }}
  MPI_Comm half;
  MPI_Comm_split(MPI_COMM_WORLD, rank % {c.randint(2, 3)}, {c.choice(['rank', '-rank'])}, &half);
  int number, sum = 0;
  MPI_Comm_rank(half, &number);
  MPI_Reduce(&seed, &sum, 1, MPI_INT, MPI_SUM, 0, half);
  mine("half", sum + 10 * number);
  MPI_Finalize();
  return 0;
}}
"""
