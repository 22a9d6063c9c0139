/* aio of libc: reads, writes and syncs that finish later. */
#define _GNU_SOURCE
#include <aio.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>

#include "tell.h"

static ssize_t finish(struct aiocb* control) {
  const struct aiocb* list[] = {control};
  while (aio_error(control) == EINPROGRESS) aio_suspend(list, 1, NULL);
  return aio_return(control);
}

int main(void) {
  static char data[4][1000];
  struct aiocb c[4], *list[4];
  int fd = open("aio.bin", O_CREAT | O_RDWR | O_TRUNC, 0644);
  memset(c, 0, sizeof c);
  for (int i = 0; i < 4; ++i) {
    c[i].aio_fildes = fd, c[i].aio_buf = data[i], c[i].aio_nbytes = 1000, c[i].aio_offset = i * 1000;
    c[i].aio_lio_opcode = LIO_WRITE, list[i] = &c[i];
  }
  MUST(aio_write(&c[0]) == 0 && finish(&c[0]) == 1000);
  MUST(lio_listio(LIO_WAIT, list + 1, 3, NULL) == 0);
  for (int i = 1; i < 4; ++i) MUST(finish(&c[i]) == 1000);
  did("aio.bin", "POSIX_WRITES", 4), did("aio.bin", "POSIX_BYTES_WRITTEN", 4000);
  MUST(aio_fsync(O_DSYNC, &c[0]) == 0 && finish(&c[0]) == 0);
  did("aio.bin", "POSIX_FDSYNCS", 1);
  c[1].aio_offset = 3500;
  MUST(aio_read(&c[0]) == 0 && finish(&c[0]) == 1000);
  MUST(aio_read(&c[1]) == 0 && finish(&c[1]) == 500);
  did("aio.bin", "POSIX_READS", 2), did("aio.bin", "POSIX_BYTES_READ", 1500);
  did("aio.bin", "POSIX_MAX_BYTE_READ", 3999);
  close(fd);
  tell();
  return 0;
}
