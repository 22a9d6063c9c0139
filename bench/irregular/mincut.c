/* Contracts random edges of a graph on disk until two vertices are left; rejected draws cost a read, too. */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

static int root(int* parent, int v) {
  while (parent[v] != v) v = parent[v];
  return v;
}

int main(int argc, char** argv) {
  const int vertices = atoi(argv[1]), edges = 8 * vertices;
  int graph = open("graph.bin", O_RDONLY), cut = open("cut.bin", O_CREAT | O_TRUNC | O_WRONLY, 0600);
  int* parent = malloc(vertices * sizeof(int));
  unsigned seed = 1;
  int left = vertices;
  (void)argc;
  for (int v = 0; v < vertices; ++v) parent[v] = v;
  while (left > 2) {
    int to;
    seed = seed * 1664525u + 1013904223u;
    const int edge = (int)((seed >> 4) % (unsigned)edges);
    pread(graph, &to, sizeof to, (long)edge * sizeof to);
    const int a = root(parent, edge / 8), b = root(parent, to);
    if (a == b) continue;
    parent[a] = b;
    --left;
    write(cut, &edge, sizeof edge);
  }
  close(cut);
  close(graph);
  return 0;
}
