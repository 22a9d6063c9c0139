// The other half of kernels.f90.
#include <stdio.h>
#include <stdlib.h>

void save_field(const double* values, int count, int step);
void summary_(const double* total);
static FILE* notes;

void c_note(const char* text, int count) { fprintf(notes, "%s %d\n", text, count); }

int main(int argc, char** argv) {
  const int count = atoi(argv[1]), steps = atoi(argv[2]);
  double* values = calloc((size_t)count, sizeof *values);
  notes = fopen("notes.txt", "w");
  for (int step = 1; step <= steps; ++step) {
    save_field(values, count, step);
    const double total = step;
    summary_(&total);
  }
  fclose(notes);
  free(values);
  return argc > 3;
}
