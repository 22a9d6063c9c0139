/* Breadth first through a graph that stays on disk: each vertex is a row of neighbours, read when it is reached. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { kDegree = 8 };

int main(int argc, char** argv) {
  const int vertices = atoi(argv[1]);
  int graph = open("graph.bin", O_RDONLY), levels = open("levels.bin", O_CREAT | O_TRUNC | O_WRONLY, 0600);
  int* level = malloc(vertices * sizeof(int));
  int* queue = malloc(vertices * sizeof(int));
  int row[kDegree], head = 0, tail = 1;
  (void)argc;
  for (int v = 0; v < vertices; ++v) level[v] = -1;
  queue[0] = 0;
  level[0] = 0;
  while (head < tail) {
    const int v = queue[head++];
    pread(graph, row, sizeof row, (long)v * sizeof row);
    for (int k = 0; k < kDegree; ++k)
      if (level[row[k]] < 0) {
        level[row[k]] = level[v] + 1;
        queue[tail++] = row[k];
        write(levels, &row[k], sizeof(int));
      }
  }
  close(levels);
  close(graph);
  return 0;
}
