/* While a write is about to return, another thread closes its file, and is given the same handle for the next one. */
#include "fake_mpi.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define CHECK(holds) ((holds) ? (void)0 : (fprintf(stderr, "line %d: %s\n", __LINE__, #holds), exit(1)))

extern void (*fake_at_end_of_write)(void);
static volatile int step; /* 1: the write is over; 2: the handle is another file's */
static MPI_File file;
static char paths[2][4096];

static MPI_File open_file(int which) {
  MPI_File opened;
  CHECK(MPI_File_open(MPI_COMM_SELF, paths[which], MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &opened) ==
        MPI_SUCCESS);
  return opened;
}

static void let_the_other_thread_go(void) {
  step = 1;
  while (step != 2) usleep(1000);
}

static void* replace(void* unused) {
  while (step != 1) usleep(1000);
  MPI_File copy = file;
  CHECK(MPI_File_close(&copy) == MPI_SUCCESS);
  CHECK(open_file(1) == file);
  step = 2;
  return unused;
}

int main(int count, char** arguments) {
  MPI_Init(&count, &arguments);
  for (int i = 0; i < 2; ++i) snprintf(paths[i], sizeof paths[i], "%s/%s", arguments[1], i == 0 ? "first" : "second");
  file = open_file(0);
  pthread_t thread;
  CHECK(pthread_create(&thread, NULL, replace, NULL) == 0);
  fake_at_end_of_write = let_the_other_thread_go;
  CHECK(MPI_File_write_at(file, 0, "ten bytes", 10, MPI_BYTE, MPI_STATUS_IGNORE) == MPI_SUCCESS);
  CHECK(pthread_join(thread, NULL) == 0);
  fake_at_end_of_write = NULL;
  CHECK(MPI_File_write_at(file, 0, "five", 5, MPI_BYTE, MPI_STATUS_IGNORE) == MPI_SUCCESS);
  CHECK(MPI_File_close(&file) == MPI_SUCCESS);
  MPI_Finalize();
  return 0;
}
