/* The code-block graph of a published example, as a program: a loop that writes or reads, a checkpoint in ten parts and a
 * sorted table that may be saved.
 *
 *   trikal predict --graph svg examples/figure3.c -- 2 save > figure3.svg
 *
 * Sizes are those of the publication: 100 MB at 1024 in file.dat, ten times 50 MB from 2048 on in file2.dat, 30 MB at 0 in
 * file3.dat. Nothing of it has to be run to see what it does. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MB = 1000 * 1000 };

static void checkpoint(const char* data) {
  FILE* file = fopen("file2.dat", "wb");
  if (!file) return;
  fseek(file, 2048, SEEK_SET);
  for (int part = 0; part < 10; ++part) fwrite(data, 50 * MB, 1, file);
  fclose(file);
}

static void sort_temp(const char* data, int save) {
  if (save) {
    FILE* file = fopen("file3.dat", "wb");
    if (!file) return;
    fwrite(data, 30 * MB, 1, file);
    fclose(file);
  }
}

int main(int argc, char** argv) {
  const long steps = argc > 1 ? atol(argv[1]) : 2;
  const int save = argc > 2 && strcmp(argv[2], "save") == 0;
  char* data = calloc(1, 100 * MB);
  FILE* file = fopen("file.dat", "w+b");
  if (!data || !file) return 1;
  for (long step = 0; step < steps; ++step) {
    fseek(file, 1024, SEEK_SET);
    if (step % 2 == 0) {
      fwrite(data, 100 * MB, 1, file);
    } else {
      fread(data, 100 * MB, 1, file);
    }
  }
  fclose(file);
  checkpoint(data);
  sort_temp(data, save);
  free(data);
  return 0;
}
