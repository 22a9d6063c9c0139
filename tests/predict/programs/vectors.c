// Vectors: by intrinsics, by the compiler's own types, and as what functions get. What comes out decides how much is written.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef float four __attribute__((vector_size(16)));
typedef int four_numbers __attribute__((vector_size(16)));
typedef short eight __attribute__((vector_size(16)));

struct point {
  float x, y;
};

static struct point moved(struct point at, struct point by) {
  at.x += by.x;
  at.y -= by.y;
  return at;
}

static float sum(four lanes) { return lanes[0] + lanes[1] + lanes[2] + lanes[3]; }

static four largest(four a, four b) {
  four_numbers more = a > b;
  return (four)((more & (four_numbers)a) | (~more & (four_numbers)b));
}

int main(int argc, char** argv) {
  int iterations = atoi(argv[1]);
  FILE* out = fopen("out.txt", "w");
  four all = {1, 2, 3, 4}, step = {0.5f, -1, 0.25f, 2};
  struct point at = {0, 0};
  for (int i = 0; i < iterations; i++) {
    all = largest(all + step, (four){3, 3, 3, 3});
    at = moved(at, (struct point){1.5f, 0.25f});
    four turned = __builtin_shufflevector(all, all, 3, 2, 5, 0);
    turned[i % 4] = (float)i;
    eight halves = (eight)(four_numbers){i, i + 1, i * 70000, -i};
    fprintf(out, "%g %g %g %d\n", sum(all), turned[(i + 1) % 4], at.x + at.y, halves[5] + halves[6]);
  }
  unsigned char bytes[64];
  memcpy(bytes, &all, sizeof all);
  fwrite(bytes, 1, 1 + bytes[3] % 16, out);
  return fclose(out);
}
