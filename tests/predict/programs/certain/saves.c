// A new file every so many steps, as simulations save what they have.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static double state[2][50];

int main(int argc, char** argv) {
  const int steps = atoi(argv[1]);
  for (int step = 1; step <= steps; step++) {
    for (int i = 1; i < 49; i++) state[step % 2][i] = 0.5 * (state[1 - step % 2][i - 1] + state[1 - step % 2][i + 1]);
    if (step * 8 % steps != 0) continue;
    char name[64];
    snprintf(name, sizeof name, "state-%d.bin", step * 8 / steps);
    const int file = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    for (int i = 0; i < 50; i++)
      if (write(file, &state[step % 2][i], sizeof(double)) != sizeof(double)) return 1;
    close(file);
  }
  return argc != 2;
}
