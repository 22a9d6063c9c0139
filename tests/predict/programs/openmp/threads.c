// OpenMP: work that is shared out, files of each thread, what threads tell each other, and who does what once.
#include <fcntl.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int own;
#pragma omp threadprivate(own)

// A file for each thread, as long as its share.
static void files_of_threads(int iterations) {
#pragma omp parallel
  {
    char name[64];
    snprintf(name, sizeof name, "thread.%d", omp_get_thread_num());
    FILE* file = fopen(name, "w");
    own = 0;
#pragma omp for schedule(static)
    for (int i = 0; i < iterations; ++i) {
      fprintf(file, "%d of %d\n", i % 7, omp_get_num_threads());
      ++own;
    }
    fprintf(file, "%d iterations\n", own);
    fclose(file);
  }
}

// Sizes differ by thread; offsets follow from those of all others.
static void offsets(int iterations) {
  static long sizes[1024];
  int out = open("offsets.dat", O_CREAT | O_TRUNC | O_WRONLY, 0644);
  char* block = calloc(1, 1 << 20);
#pragma omp parallel
  {
    int me = omp_get_thread_num();
    sizes[me] = 1000 * (me + 1) + iterations;
#pragma omp barrier
#pragma omp single
    for (int i = 1; i < omp_get_num_threads(); ++i) sizes[i] += sizes[i - 1];
    long from = me > 0 ? sizes[me - 1] : 0;
    pwrite(out, block, sizes[me] - from, from);
  }
  free(block);
  close(out);
}

// A sum of all threads is written by one of them in each step.
static void steps(int iterations) {
  FILE* log = fopen("steps.log", "w");
  double total = 0;
  long count = 0;
#pragma omp parallel
  for (int step = 0; step < 20; ++step) {
#pragma omp for reduction(+ : total) schedule(static, 3)
    for (int i = 0; i < iterations; ++i) total += i;
#pragma omp single
    fprintf(log, "step %d: %.0f\n", step, total);
#pragma omp atomic
    ++count;
#pragma omp master
    if (step % 5 == 0) fputs("checkpoint\n", log);
#pragma omp barrier
  }
  fprintf(log, "%ld\n", count);
  fclose(log);
}

// Whoever comes first takes the next piece: the sum is the same.
static void pieces(int iterations) {
  int out = open("pieces.dat", O_CREAT | O_TRUNC | O_WRONLY, 0644);
  char block[100] = {0};
  long written = 0;
#pragma omp parallel for schedule(dynamic, 4) reduction(+ : written)
  for (long i = 0; i < iterations; ++i) written += pwrite(out, block, sizeof block, 100 * i);
#pragma omp parallel for schedule(guided) ordered
  for (int i = 0; i < 10; ++i) {
#pragma omp ordered
    write(out, block, i);
  }
  close(out);
  FILE* log = fopen("pieces.log", "w");
  fprintf(log, "%ld bytes\n", written);
  fclose(log);
}

static void part(const char* name, int bytes) {
  FILE* file = fopen(name, "w");
  for (int i = 0; i < bytes; ++i) fputc('x', file);
  fclose(file);
}

static void regions(int told) {
  FILE* log = fopen("kinds.log", "w");
  fprintf(log, "%d\n", told);
#pragma omp parallel num_threads(3) if (told > 1)
#pragma omp critical
  fprintf(log, "%d %d\n", omp_get_num_threads(), omp_in_parallel());
#pragma omp parallel if (told < 0)
  fprintf(log, "%d %d\n", omp_get_num_threads(), omp_get_level());
  omp_set_num_threads(2);
#pragma omp parallel
#pragma omp parallel
#pragma omp critical
  fprintf(log, "%d %d %d\n", omp_get_level(), omp_get_team_size(1), omp_get_num_threads());
  fclose(log);
}

static void kinds(void) {
  int told = 0;
#pragma omp parallel sections
  {
#pragma omp section
    part("first", 10);
#pragma omp section
    part("second", 20);
#pragma omp section
    part("third", 30);
  }
#pragma omp parallel
  {
    int answer = 0;
#pragma omp single copyprivate(answer)
    answer = 42;
#pragma omp critical
    told += answer;
#pragma omp single
    {
      for (int i = 0; i < 5; ++i) {
#pragma omp task firstprivate(i)
        {
          char name[32];
          snprintf(name, sizeof name, "task.%d", i);
          part(name, 100 * i);
        }
      }
#pragma omp taskwait
#pragma omp taskloop
      for (int i = 0; i < 6; ++i) {
        char name[32];
        snprintf(name, sizeof name, "loop.%d", i);
        part(name, i);
      }
    }
  }
  regions(told);
}

int main(int argc, char** argv) {
  int iterations = argc > 1 ? atoi(argv[1]) : 100;
  files_of_threads(iterations);
  offsets(iterations);
  steps(iterations);
  pieces(iterations);
  kinds();
  return 0;
}
