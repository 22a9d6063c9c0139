// Blocks through io_uring: written with several in flight, read back, copied by pairs of operations, or one of each kind.
// Every completion goes into a report, so that a result that is predicted otherwise has another length.
#include <fcntl.h>
#include <liburing.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

static struct io_uring ring;
static FILE* report;

static void take(unsigned count) {
  for (unsigned i = 0; i < count; ++i) {
    struct io_uring_cqe* cqe;
    if (io_uring_wait_cqe(&ring, &cqe) < 0) exit(3);
    if (report) fprintf(report, "%llu %d\n", (unsigned long long)cqe->user_data, cqe->res);
    else if (cqe->res < 0) exit(4);
    io_uring_cqe_seen(&ring, cqe);
  }
}

// As many in flight as the ring holds, all waited for.
static void batches(long blocks, unsigned bytes, unsigned depth) {
  int file = open("blocks.dat", O_CREAT | O_RDWR, 0600);
  char* buffer = calloc(depth, bytes);
  for (long done = 0; done < blocks;) {
    unsigned now = 0;
    for (; now < depth && done < blocks; ++now, ++done) {
      struct io_uring_sqe* sqe = io_uring_get_sqe(&ring);
      io_uring_prep_write(sqe, file, buffer + (size_t)now * bytes, bytes, (__u64)done * bytes);
      io_uring_sqe_set_data64(sqe, done);
    }
    if (io_uring_submit(&ring) != (int)now) exit(2);
    take(now);
  }
  free(buffer);
  close(file);
}

// A window that moves: for each that is done another one begins.
static void window(long blocks, unsigned bytes, unsigned depth) {
  int file = open("blocks.dat", O_RDONLY);
  char* buffer = malloc((size_t)depth * bytes);
  long begun = 0, done = 0;
  while (done < blocks) {
    while (begun < blocks && begun - done < depth) {
      struct io_uring_sqe* sqe = io_uring_get_sqe(&ring);
      io_uring_prep_read(sqe, file, buffer + (begun % depth) * bytes, bytes, (__u64)begun * bytes);
      sqe->user_data = begun++;
    }
    io_uring_submit_and_wait(&ring, 1);
    take(1);
    ++done;
  }
  free(buffer);
  close(file);
}

// Read, then written where it was read from: what a read brought decides how much is written.
static void copy(unsigned bytes) {
  int from = open("in.dat", O_RDONLY), to = open("out.dat", O_CREAT | O_WRONLY | O_TRUNC, 0600);
  char* buffer = malloc(bytes);
  for (off_t at = 0;;) {
    struct iovec parts[2] = {{buffer, bytes / 2}, {buffer + bytes / 2, bytes - bytes / 2}};
    struct io_uring_cqe* cqe;
    io_uring_prep_readv(io_uring_get_sqe(&ring), from, parts, 2, at);
    io_uring_submit(&ring);
    if (io_uring_wait_cqe(&ring, &cqe) < 0 || cqe->res < 0) exit(5);
    int got = cqe->res;
    io_uring_cqe_seen(&ring, cqe);
    if (got == 0) break;
    struct iovec whole = {buffer, got};
    io_uring_prep_writev(io_uring_get_sqe(&ring), to, &whole, 1, at);
    io_uring_submit(&ring);
    take(1);
    at += got;
  }
  free(buffer);
  close(from);
  close(to);
}

static struct io_uring_sqe* next(unsigned long long data, unsigned flags) {
  struct io_uring_sqe* sqe = io_uring_get_sqe(&ring);
  if (!sqe) exit(6);
  memset(sqe, 0, sizeof *sqe);
  sqe->user_data = data;
  sqe->flags = flags;
  return sqe;
}
#define ASK(data, how, prepare, ...)              \
  do {                                            \
    struct io_uring_sqe* sqe = next(data, 0);     \
    prepare(sqe, __VA_ARGS__);                    \
    sqe->user_data = (data), sqe->flags |= (how); \
  } while (0)

static char buffer[4096], other[4096];

static void by_name(void) {
  struct io_uring_cqe* cqe;
  ASK(13, 0, io_uring_prep_openat, AT_FDCWD, "opened.dat", O_CREAT | O_WRONLY | O_APPEND, 0600);
  io_uring_submit(&ring);
  if (io_uring_wait_cqe(&ring, &cqe) || cqe->res < 0) exit(7);
  int opened = cqe->res;
  io_uring_cqe_seen(&ring, cqe);
  for (int i = 0; i < 3; ++i) ASK(14, IOSQE_IO_LINK, io_uring_prep_write, opened, buffer, 50, 0);
  ASK(15, 0, io_uring_prep_close, opened);
  io_uring_submit_and_wait(&ring, 4);
  take(4);
  ASK(16, 0, io_uring_prep_openat, AT_FDCWD, "missing/opened.dat", O_RDONLY, 0);
  io_uring_submit(&ring);
  take(1);
  ASK(17, 0, io_uring_prep_unlink, "opened.dat", 0);
  io_uring_submit(&ring);
  take(1);
}

static void kinds(void) {
  struct iovec fixed[2] = {{buffer, sizeof buffer}, {other, sizeof other}};
  int file = open("kinds.dat", O_CREAT | O_RDWR | O_TRUNC, 0600), registered[2] = {file, -1};
  strcpy(buffer, "what is written and read again decides how much is written next");
  io_uring_register_buffers(&ring, fixed, 2);
  io_uring_register_files(&ring, registered, 2);
  // Each fails or is cancelled by the one before where that is linked to it.
  ASK(1, IOSQE_IO_LINK, io_uring_prep_write_fixed, file, buffer, 4096, 0, 0);
  ASK(2, IOSQE_IO_LINK | IOSQE_FIXED_FILE, io_uring_prep_write, 0, buffer, 100, 4096);
  ASK(3, IOSQE_IO_LINK, io_uring_prep_fsync, file, IORING_FSYNC_DATASYNC);
  ASK(4, 0, io_uring_prep_read_fixed, file, other, 4096, 0, 1);
  io_uring_submit(&ring);
  take(4);
  ASK(5, IOSQE_IO_LINK, io_uring_prep_read, file, other + 2048, 2000, 4000);  // less than asked for
  ASK(6, IOSQE_IO_LINK, io_uring_prep_fsync, file, 0);
  ASK(7, 0, io_uring_prep_write, file, buffer, 10, 0);
  io_uring_submit(&ring);
  take(3);
  ASK(8, IOSQE_IO_HARDLINK, io_uring_prep_write, 999, buffer, 10, 0);
  ASK(9, 0, io_uring_prep_fsync, file, 0);
  io_uring_submit(&ring);
  take(2);
  close(file);
  ASK(10, IOSQE_FIXED_FILE, io_uring_prep_write, 0, buffer, strlen(other), 8192);  // it is still open there
  io_uring_submit(&ring);
  take(1);
  ASK(11, IOSQE_FIXED_FILE, io_uring_prep_write, 1, buffer, 10, 0);
  ASK(12, IOSQE_FIXED_FILE, io_uring_prep_write_fixed, 0, buffer, 10, 0, 7);
  io_uring_submit(&ring);
  take(2);
  by_name();
  ASK(18, IOSQE_CQE_SKIP_SUCCESS | IOSQE_FIXED_FILE | IOSQE_IO_LINK, io_uring_prep_write, 0, buffer, 10, 9000);
  ASK(19, IOSQE_FIXED_FILE, io_uring_prep_fadvise, 0, 0, 0, POSIX_FADV_NORMAL);
  io_uring_submit(&ring);
  take(1);
  io_uring_unregister_files(&ring);
  io_uring_unregister_buffers(&ring);
  struct io_uring_cqe* cqe;
  if (io_uring_peek_cqe(&ring, &cqe) == 0) exit(8);
}

// More than the completion queue holds before anybody looks.
static void late(unsigned depth) {
  int file = open("late.dat", O_CREAT | O_WRONLY, 0600);
  for (unsigned round = 0; round < 5; ++round) {
    for (unsigned i = 0; i < depth; ++i)
      ASK(round * depth + i, 0, io_uring_prep_write, file, "12345678", i % 8, (round * depth + i) * 8);
    io_uring_submit(&ring);
  }
  take(5 * depth);
  for (unsigned i = 0; i < depth; ++i) ASK(i, 0, io_uring_prep_write, file, "12345678", 3, i * 8);
  struct io_uring_cqe* all[64];
  io_uring_submit_and_wait(&ring, depth);
  unsigned got = io_uring_peek_batch_cqe(&ring, all, 64);
  for (unsigned i = 0; i < got; ++i) fprintf(report, "%llu %d\n", (unsigned long long)all[i]->user_data, all[i]->res);
  io_uring_cq_advance(&ring, got);
  close(file);
}

int main(int argc, char** argv) {
  const char* what = argv[1];
  unsigned depth = atoi(argv[2]), bytes = argc > 3 ? atoi(argv[3]) : 0;
  long blocks = argc > 4 ? atol(argv[4]) : 0;
  if (argc > 5) report = fopen(argv[5], "w");
  if (io_uring_queue_init(depth, &ring, 0) < 0) return 1;
  if (!strcmp(what, "batches") || !strcmp(what, "both")) batches(blocks, bytes, depth);
  if (!strcmp(what, "window") || !strcmp(what, "both")) window(blocks, bytes, depth);
  if (!strcmp(what, "copy")) copy(bytes);
  if (!strcmp(what, "kinds")) kinds();
  if (!strcmp(what, "late")) late(depth);
  io_uring_queue_exit(&ring);
  if (report) fclose(report);
  return 0;
}
