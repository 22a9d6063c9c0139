/* The first thread ends; another one goes on writing: argv is its file, which gets 8 bytes until "stop" is beside it. */
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void* write_on(void* path) {
  const int fd = open(path, O_WRONLY | O_CREAT, 0600);
  while (write(fd, "12345678", 8) == 8 && access("stop", F_OK) != 0) usleep(1000);
  exit(3);
}

int main(int argc, char** argv) {
  pthread_t thread;
  if (argc < 2 || pthread_create(&thread, NULL, write_on, argv[1]) != 0) return 1;
  pthread_exit(NULL);
}
