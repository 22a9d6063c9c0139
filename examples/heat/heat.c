// Heat spreading on a plate: the program of scripts/demo. It computes as such programs do, and saves its state as many of
// them do: a value at a time. write-at-once.patch mends that.
//
//   heat STEPS FOLDER
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { kSide = 1000, kSaves = 8 };

static double plate[2][kSide][kSide];

static void fail(const char* what) {
  perror(what);
  exit(1);
}

static void warm_one_edge(void) {
  for (int which = 0; which < 2; which++)
    for (int column = 0; column < kSide; column++) plate[which][0][column] = 100.0;
}

static void spread(const double from[kSide][kSide], double to[kSide][kSide]) {
  for (int row = 1; row < kSide - 1; row++)
    for (int column = 1; column < kSide - 1; column++)
      to[row][column] =
          0.25 * (from[row - 1][column] + from[row + 1][column] + from[row][column - 1] + from[row][column + 1]);
}

static void save_row(int file, const double row[kSide]) {
  for (int column = 0; column < kSide; column++)
    if (write(file, &row[column], sizeof row[column]) != sizeof row[column]) fail("write");
}

static void save(const char* folder, int number, const double state[kSide][kSide]) {
  char name[4096];
  snprintf(name, sizeof name, "%s/state-%d.bin", folder, number);
  const int file = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (file < 0) fail(name);
  for (int row = 0; row < kSide; row++) save_row(file, state[row]);
  if (close(file) != 0) fail("close");
}

int main(int argc, char** argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: heat STEPS FOLDER\n");
    return 2;
  }
  const int steps = atoi(argv[1]);
  warm_one_edge();
  for (int step = 1; step <= steps; step++) {
    spread(plate[(step + 1) % 2], plate[step % 2]);
    if (step * kSaves % steps == 0) save(argv[2], step * kSaves / steps, plate[step % 2]);
  }
  return 0;
}
