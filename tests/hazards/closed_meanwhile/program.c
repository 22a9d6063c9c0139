// Calls that wait in the kernel while another thread closes what they work on. The kernel lets them finish; so must we.
#include "../check.h"

#include <aio.h>
#include <dirent.h>
#include <pthread.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>

static char data[200000];
static volatile pid_t waiting; /* the thread that is about to wait, by its number */

static void begins_to_wait(void) { waiting = (pid_t)syscall(SYS_gettid); }

/* Until the other thread sleeps in the kernel. */
static void wait_until_it_waits(void) {
  while (waiting == 0) usleep(100);
  char path[64], state = 0;
  snprintf(path, sizeof path, "/proc/self/task/%d/stat", waiting);
  for (int seen = 0; seen < 3;) {
    const int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY);
    char text[512] = {0};
    CHECK(fd >= 0 && syscall(SYS_read, fd, text, sizeof text - 1) > 0);
    syscall(SYS_close, fd);
    state = *(strrchr(text, ')') + 2);
    seen = state == 'S' ? seen + 1 : 0;
    usleep(1000);
  }
  waiting = 0;
}

static int make_fifo(const char* path, int* other_end) {
  CHECK(mkfifo(path, 0600) == 0);
  *other_end = open(path, O_RDWR);
  const int fd = open(path, O_RDWR);
  CHECK(*other_end >= 0 && fd >= 0);
  return fd;
}

/* The number is closed, and stands for another file before the call on it is over. */
static void give_to_next(int fd) {
  CHECK(close(fd) == 0);
  const int next = open("next", O_CREAT | O_RDWR | O_TRUNC, 0600);
  CHECK(next == fd);
}
static void use_next(int fd) {
  write_tens(fd, 1);
  CHECK(close(fd) == 0);
}

static void* do_read(void* fd) {
  begins_to_wait();
  CHECK(read(*(int*)fd, data, 100) == 10);
  return NULL;
}
static void* do_readv(void* fd) {
  struct iovec parts[2] = {{data, 50}, {data + 50, 50}};
  begins_to_wait();
  CHECK(readv(*(int*)fd, parts, 2) == 10);
  return NULL;
}
static void* do_syscall(void* fd) {
  begins_to_wait();
  CHECK(syscall(SYS_read, *(int*)fd, data, 100) == 10);
  return NULL;
}
/* More than a pipe holds. */
static void* do_write(void* fd) {
  begins_to_wait();
  CHECK(write(*(int*)fd, data, 140000) == 140000);
  return NULL;
}

static void closed_during(const char* path, void* (*call)(void*), int writes) {
  int other, fd = make_fifo(path, &other);
  const int held = fd;
  pthread_t thread;
  CHECK(pthread_create(&thread, NULL, call, &fd) == 0);
  wait_until_it_waits();
  give_to_next(held);
  for (size_t done = 0; writes && done < 140000;) {
    const ssize_t got = syscall(SYS_read, other, data + 150000, 20000);
    CHECK(got > 0);
    done += (size_t)got;
  }
  if (!writes) write_tens(other, 1);
  CHECK(pthread_join(thread, NULL) == 0);
  use_next(held);
  CHECK(close(other) == 0);
}

static int ends[2];
static void* do_splice(void* unused) {
  (void)unused;
  begins_to_wait();
  CHECK(splice(ends[0], NULL, ends[1], NULL, 100, 0) == 10);
  return NULL;
}
static void both_closed_during_splice(void) {
  int other;
  ends[0] = make_fifo("by_splice", &other);
  ends[1] = open_new("spliced");
  pthread_t thread;
  CHECK(pthread_create(&thread, NULL, do_splice, NULL) == 0);
  wait_until_it_waits();
  give_to_next(ends[0]);
  CHECK(close(ends[1]) == 0);
  write_tens(other, 1);
  CHECK(pthread_join(thread, NULL) == 0);
  use_next(ends[0]);
  CHECK(close(other) == 0);
}

/* Asked for, closed, fetched. */
static void closed_before_it_is_fetched(void) {
  const int fd = open_new("by_aio");
  struct aiocb control = {.aio_fildes = fd, .aio_buf = data, .aio_nbytes = 10, .aio_offset = 20};
  CHECK(aio_write(&control) == 0);
  const struct aiocb* list[1] = {&control};
  while (aio_error(&control) == EINPROGRESS) aio_suspend(list, 1, NULL);
  give_to_next(fd);
  CHECK(aio_return(&control) == 10);
  use_next(fd);
}

static FILE* stream;
static void* do_get(void* unused) {
  (void)unused;
  begins_to_wait();
  CHECK(fgetc(stream) == EOF);
  return NULL;
}
static void* do_close(void* unused) {
  (void)unused;
  begins_to_wait();
  CHECK(fclose(stream) == 0); /* waits until the stream's lock is free */
  return NULL;
}
static void closed_stream(void) {
  CHECK(mkfifo("stream", 0600) == 0);
  const int keep = open("stream", O_RDWR);
  stream = fopen("stream", "r");
  const int other = open("stream", O_WRONLY);
  CHECK(keep >= 0 && stream != NULL && other >= 0 && close(keep) == 0);
  pthread_t reader, closer;
  CHECK(pthread_create(&reader, NULL, do_get, NULL) == 0);
  wait_until_it_waits();
  CHECK(pthread_create(&closer, NULL, do_close, NULL) == 0);
  wait_until_it_waits();
  CHECK(close(other) == 0); /* the end of the file */
  CHECK(pthread_join(reader, NULL) == 0 && pthread_join(closer, NULL) == 0);
}

int main(void) {
  closed_during("by_read", do_read, 0);
  closed_during("by_readv", do_readv, 0);
  closed_during("by_syscall", do_syscall, 0);
  closed_during("by_write", do_write, 1);
  both_closed_during_splice();
  closed_before_it_is_fetched();
  closed_stream();
  return 0;
}
