// Graph exploration: ranks of pages by repeated passes over edges that stay in memory; the ranks are saved now and then.
#include <stdio.h>
#include <stdlib.h>

static void make_edges(int* from, int* to, int edges, int pages) {
  for (int e = 0; e < edges; ++e) {
    from[e] = (int)((long)e * 7919 % pages);
    to[e] = (int)((long)e * 104729 % pages);
  }
}

static void spread(const double* rank, double* next, const int* from, const int* to, int edges) {
  for (int e = 0; e < edges; ++e) next[to[e]] += 0.85 * rank[from[e]];
}

static void save(const double* rank, int pages, int round) {
  char name[64];
  snprintf(name, sizeof name, "ranks%d.bin", round);
  FILE* file = fopen(name, "wb");
  fwrite(rank, sizeof(double), pages, file);
  fclose(file);
}

int main(int argc, char** argv) {
  const int pages = argc > 1 ? atoi(argv[1]) : 1000, rounds = argc > 2 ? atoi(argv[2]) : 4;
  const int every = argc > 3 ? atoi(argv[3]) : 1, edges = 8 * pages;
  int* from = malloc(edges * sizeof(int));
  int* to = malloc(edges * sizeof(int));
  double* rank = malloc(pages * sizeof(double));
  double* next = malloc(pages * sizeof(double));
  make_edges(from, to, edges, pages);
  for (int i = 0; i < pages; ++i) rank[i] = 1.0 / pages;
  for (int round = 0; round < rounds; ++round) {
    for (int i = 0; i < pages; ++i) next[i] = 0.15 / pages;
    spread(rank, next, from, to, edges);
    for (int i = 0; i < pages; ++i) rank[i] = next[i];
    if (round % every == 0) save(rank, pages, round);
  }
  printf("%g\n", rank[0]);
  return 0;
}
