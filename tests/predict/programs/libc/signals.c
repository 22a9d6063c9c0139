#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/select.h>
#include <sys/wait.h>
#include <unistd.h>

#include "say.h"

static volatile sig_atomic_t caught;
static void count(int number) { caught += number; }

static void children(void) {
  int ends[2], status = -1;
  char text[64];
  ssize_t got;
  long sum = 0;
  tell(pipe(ends));
  if (fork() == 0) {
    close(ends[0]);
    for (int i = 0; i < 5; ++i) write(ends[1], text, snprintf(text, sizeof text, "part %d\n", i * 100));
    FILE* file = fopen("child.txt", "w");
    fputs("by the child\n", file), fclose(file);
    _exit(7);
  }
  close(ends[1]);
  wait(&status);
  while ((got = read(ends[0], text, 10)) > 0) sum += got, tell(got);
  tell(sum), close(ends[0]);
  tell(WIFEXITED(status)), tell(WEXITSTATUS(status));
  if (fork() == 0) {
    execlp("there-is-no-such-program", "name", NULL);
    tell(errno), fflush(said);
    _exit(127);
  }
  waitpid(-1, &status, 0), tell(WEXITSTATUS(status));
}

int main(int argc, char** argv) {
  begin("signals.bin");
  tell(signal(SIGUSR1, count) == SIG_DFL), tell(signal(SIGUSR1, count) == count);
  struct sigaction action = {.sa_handler = count}, before;
  sigemptyset(&action.sa_mask), sigaddset(&action.sa_mask, SIGINT);
  tell(sigismember(&action.sa_mask, SIGINT)), tell(sigismember(&action.sa_mask, SIGTERM));
  sigaction(SIGUSR2, &action, NULL), sigaction(SIGUSR2, NULL, &before), tell(before.sa_handler == count);
  for (int i = 0; i < 5; ++i) raise(SIGUSR1);
  kill(getpid(), SIGUSR2), tell(caught), tell(kill(getpid(), 0));
  signal(SIGTERM, SIG_IGN), raise(SIGTERM), raise(SIGCHLD);
  const int file = open("some.txt", O_CREAT | O_RDWR, 0644);
  struct pollfd asked[2] = {{file, POLLIN | POLLOUT, 0}, {-1, POLLIN, 0}};
  tell(poll(asked, 2, 1000)), tell(asked[0].revents), tell(asked[1].revents);
  fd_set readable;
  FD_ZERO(&readable);
  FD_SET(file, &readable);
  struct timeval soon = {0, 1000};
  tell(select(file + 1, &readable, NULL, NULL, &soon)), tell(FD_ISSET(file, &readable) != 0);
  tell(select(0, NULL, NULL, NULL, &soon));
  fflush(said);
  children();
  fflush(said);
  if (strcmp(argv[1], "killed") == 0) raise(SIGINT);
  tell(99);
  fclose(said);
  return 0;
}
