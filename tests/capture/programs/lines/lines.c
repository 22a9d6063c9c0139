/* Lines through the C library, from a thread. */
#include <pthread.h>
#include <stdio.h>

static void* write_lines(void* nothing) {
  FILE* out = fopen("out.dat", "w");
  for (int i = 0; i < 300; i++) {
    fprintf(out, "line %d\n", i);
    fflush(out); /* the line */
  }
  fclose(out);
  return nothing;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, write_lines, NULL);
  pthread_join(thread, NULL);
  return 0;
}
