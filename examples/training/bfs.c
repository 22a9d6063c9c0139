// Graph exploration: a graph on disk is made, then searched breadth first, a vertex's neighbours read when it is visited.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { kDegree = 16 };

static void make_graph(const char* path, int vertices) {
  int file = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0600);
  int row[kDegree];
  for (int v = 0; v < vertices; ++v) {
    for (int k = 0; k < kDegree; ++k) row[k] = (int)(((long)v * 17 + k * 7919L + 1) % vertices);
    write(file, row, sizeof row);
  }
  close(file);
}

static long search(const char* path, int vertices) {
  int file = open(path, O_RDONLY);
  int* distance = malloc(vertices * sizeof(int));
  int row[kDegree];
  long sum = 0;
  for (int v = 0; v < vertices; ++v) distance[v] = -1;
  for (int v = 0; v < vertices; ++v) {
    pread(file, row, sizeof row, (long)v * sizeof row);
    for (int k = 0; k < kDegree; ++k) {
      const int to = row[k];
      if (distance[to] < 0) distance[to] = v;
      sum += distance[to];
    }
  }
  free(distance);
  close(file);
  return sum;
}

int main(int argc, char** argv) {
  const int vertices = argc > 1 ? atoi(argv[1]) : 1000, rounds = argc > 2 ? atoi(argv[2]) : 1;
  long sum = 0;
  make_graph("graph.bin", vertices);
  for (int i = 0; i < rounds; ++i) sum += search("graph.bin", vertices);
  printf("%ld\n", sum);
  return 0;
}
