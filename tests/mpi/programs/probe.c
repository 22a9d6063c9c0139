/* No MPI here: a program that asks must be told so. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>

extern int MPI_Init(int*, char***) __attribute__((weak));
extern int MPI_File_open() __attribute__((weak));

int main(void) {
  const int linked = MPI_Init != NULL || MPI_File_open != NULL;
  const int asked = dlsym(RTLD_DEFAULT, "MPI_Init") != NULL || dlsym(RTLD_DEFAULT, "PMPI_Init") != NULL;
  printf("%d %d\n", linked, asked);
  return linked || asked;
}
