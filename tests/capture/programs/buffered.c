/* Calls that stay in a stream's buffer, by the thousand: one character, small pieces, short texts; in a child; in threads
   that share a stream. With the argument "killed" it ends by SIGKILL after the first file. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { kCalls = 100000, kThreads = 4, kEach = 20000 };

static FILE* shared;

static void* put_some(void* unused) {
  for (int i = 0; i < kEach; ++i) fputc('t', shared);
  return unused;
}

static void put_characters(const char* name) {
  FILE* out = fopen(name, "w");
  for (int i = 0; i < kCalls; ++i) putc('x', out);
  fclose(out);
}

int main(int count, char** arguments) {
  char piece[64] = "sixty-four bytes";
  FILE* out = fopen("characters", "w");
  for (int i = 0; i < kCalls; ++i) fputc('x', out);
  fflush(out);
  if (count > 1 && strcmp(arguments[1], "killed") == 0) raise(SIGKILL);
  fclose(out);
  FILE* in = fopen("characters", "r");
  while (fgetc(in) != EOF) {
  }
  rewind(in);
  while (fread(piece, 10, 1, in) == 1) {
  }
  fclose(in);
  out = fopen("pieces", "w");
  for (int i = 0; i < kCalls; ++i) fwrite(piece, 2, 8, out);
  for (int i = 0; i < kCalls; ++i) fputs("four", out);
  fclose(out);
  const pid_t child = fork();
  if (child == 0) {
    put_characters("child");
    fflush(NULL);
    _exit(0);
  }
  waitpid(child, NULL, 0);
  shared = fopen("shared", "w");
  pthread_t threads[kThreads];
  for (int i = 0; i < kThreads; ++i) pthread_create(&threads[i], NULL, put_some, NULL);
  for (int i = 0; i < kThreads; ++i) pthread_join(threads[i], NULL);
  return fclose(shared);
}
