// Descriptors that are copied: the position in the file is shared, each copy is closed by itself, and standard output goes
// into a file for a while. argv[1]: how often a copy is made and closed.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void shared_position(void) {
  int one = open("shared.dat", O_CREAT | O_RDWR | O_TRUNC, 0600), two = dup(one);
  char back[64];
  write(one, "abc", 3);
  write(two, "defgh", 5);
  lseek(two, -2, SEEK_CUR);
  write(one, back, read(one, back, sizeof back));
  close(one);
  write(two, "still open", 10);
  int high = fcntl(two, F_DUPFD, 40), higher = fcntl(two, F_DUPFD_CLOEXEC, 40);
  for (int i = 0; i < high - 35 && i < higher - 35; ++i) write(high, "0123456789", 10);
  close(two);
  close(high);
  fcntl(higher, F_SETFL, fcntl(higher, F_GETFL) | O_APPEND);
  lseek(higher, 0, SEEK_SET);
  write(higher, "at the end", 10);
  close(higher);
}

static void onto_another(void) {
  int from = open("from.dat", O_CREAT | O_WRONLY, 0600), onto = open("onto.dat", O_CREAT | O_WRONLY, 0600);
  write(onto, "1", 1);
  if (dup2(from, onto) != onto) exit(1);
  write(onto, "22", 2);
  if (dup2(from, from) != from) exit(2);
  if (dup3(from, from, 0) != -1) exit(3);
  if (dup3(from, 30, O_CLOEXEC) != 30) exit(4);
  write(30, "333", 3);
  close(30);
  close(from);
  if (dup(from) != -1 || dup2(from, onto) != -1) exit(5);
  write(onto, "4444", 4);
  close(onto);
}

static void redirected(void) {
  int kept = dup(1), file = open("output.txt", O_CREAT | O_WRONLY | O_TRUNC, 0600);
  fflush(stdout);
  dup2(file, 1);
  close(file);
  puts("a line");
  printf("%d\n", 12345);
  fflush(stdout);
  write(1, "raw", 3);
  dup2(kept, 1);
  close(kept);
  puts("back");
}

int main(int argc, char** argv) {
  int file = open("often.dat", O_CREAT | O_WRONLY, 0600);
  for (int i = 0; i < atoi(argv[1]); ++i) {
    int copy = dup(file);
    write(copy, "12345678", 8);
    close(copy);
  }
  close(file);
  shared_position();
  onto_another();
  redirected();
  return 0;
}
