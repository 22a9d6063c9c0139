/* Names phases of its run, nested and in two threads, and does I/O in them. argv: the file. */
#include <pthread.h>
#include <stdio.h>
#include <trikal/annotate.h>

static const char* file;

static void put(const char* name) {
  trikal_annotate_begin(name);
  FILE* out = fopen(file, "a");
  if (out != NULL) {
    fputs("text\n", out);
    fclose(out);
  }
  trikal_annotate_end();
}

static void* in_a_thread(void* argument) {
  put("other thread");
  return argument;
}

int main(int argc, char** argv) {
  if (argc != 2) return 99;
  file = argv[1];
  trikal_annotate_end(); /* one too many: nothing happens */
  trikal_annotate_begin("outer");
  put("inner");
  put("inner");
  pthread_t thread;
  if (pthread_create(&thread, NULL, in_a_thread, NULL) != 0 || pthread_join(thread, NULL) != 0) return 98;
  trikal_annotate_end();
  trikal_annotate_begin("never ended");
  return 0;
}
