/* steps FOLDER SCRIPT...: does what a script says, a step a line, in this folder. Built with WITH_MPI it takes one script
   a rank. test_steps.py makes the scripts and knows what has to be counted. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>
#ifdef WITH_MPI
#include <mpi.h>
#endif

#define MUST(what)                                                 \
  do {                                                             \
    if (!(what)) {                                                 \
      fprintf(stderr, "line %d: %s: %s\n", __LINE__, #what, step); \
      exit(1);                                                     \
    }                                                              \
  } while (0)

enum { kSlots = 16, kPiece = 2 << 20, kPieces = 1024, kMost = 12 << 20 };

static char* block; /* aligned, of kMost bytes; vectors use its first piece again and again */
static const char* step = "";
static int descriptors[kSlots];
static FILE* streams[kSlots];

static ssize_t vector(int file, long long size, long long offset, int writes) {
  struct iovec pieces[kPieces];
  int count = 0;
  for (; size > 0 && count < kPieces; size -= (long long)pieces[count++].iov_len) {
    pieces[count] = (struct iovec){block, size < kPiece ? (size_t)size : kPiece};
  }
  return writes ? pwritev(file, pieces, count, offset) : preadv(file, pieces, count, offset);
}

static void on_descriptor(const char* what, int slot, long long a, long long b, long long c, const char* name) {
  const int file = descriptors[slot];
  char* memory = block + c; /* of transfers: how far off its alignment */
  struct stat about;
  if (strcmp(what, "open") == 0) MUST((descriptors[slot] = open(name, (int)a, (mode_t)b)) >= 0);
  else if (strcmp(what, "dup") == 0) MUST((descriptors[slot] = dup(descriptors[a])) >= 0);
  else if (strcmp(what, "close") == 0) MUST(close(file) == 0);
  else if (strcmp(what, "write") == 0) MUST(write(file, memory, (size_t)a) == a);
  else if (strcmp(what, "read") == 0) MUST(read(file, memory, (size_t)a) == b);
  else if (strcmp(what, "pwrite") == 0) MUST(pwrite(file, memory, (size_t)a, b) == a);
  else if (strcmp(what, "pread") == 0) MUST(pread(file, memory, (size_t)a, b) >= 0);
  else if (strcmp(what, "pwritev") == 0) MUST(vector(file, a, b, 1) == a);
  else if (strcmp(what, "preadv") == 0) MUST(vector(file, a, b, 0) == a);
  else if (strcmp(what, "seek") == 0) MUST(lseek(file, a, (int)b) == c);
  else if (strcmp(what, "truncate") == 0) MUST(ftruncate(file, a) == 0);
  else if (strcmp(what, "fsync") == 0) MUST(fsync(file) == 0);
  else if (strcmp(what, "fdatasync") == 0) MUST(fdatasync(file) == 0);
  else if (strcmp(what, "fstat") == 0) MUST(fstat(file, &about) == 0);
  else if (strcmp(what, "stat") == 0) MUST(stat(name, &about) == 0);
  else if (strcmp(what, "mmap") == 0) MUST(mmap(NULL, (size_t)a, PROT_READ, MAP_SHARED, file, 0) != MAP_FAILED);
  else MUST(!"a known step");
}

static void on_stream(const char* what, int slot, long long a, long long b, long long c, const char* name) {
  static const char* modes[] = {"w+", "r+", "a"};
  FILE* file = streams[slot];
  if (strcmp(what, "fopen") == 0) MUST((streams[slot] = fopen(name, modes[a])) != NULL);
  else if (strcmp(what, "fdopen") == 0) MUST((streams[slot] = fdopen(descriptors[a], "w+")) != NULL);
  else if (strcmp(what, "fclose") == 0) MUST(fclose(file) == 0);
  else if (strcmp(what, "fwrite") == 0) MUST(fwrite(block, (size_t)a, (size_t)b, file) == (size_t)b);
  else if (strcmp(what, "fread") == 0) MUST(fread(block, (size_t)a, (size_t)b, file) == (size_t)c);
  else if (strcmp(what, "fputs") == 0) MUST(fputs(name, file) >= 0);
  else if (strcmp(what, "fgetc") == 0) MUST((fgetc(file) == EOF) == a);
  else if (strcmp(what, "fseek") == 0) MUST(fseek(file, a, (int)b) == 0);
  else if (strcmp(what, "rewind") == 0) rewind(file);
  else if (strcmp(what, "fflush") == 0) MUST(fflush(file) == 0);
  else MUST(!"a known step");
}

#ifdef WITH_MPI
static MPI_File files[kSlots];

static void transfer(const char* kind, MPI_File file, long long size, long long at, int writes) {
  MPI_Request request;
  MPI_Status status;
  const int n = (int)size;
  if (strcmp(kind, "INDEP") == 0)
    writes ? MPI_File_write_at(file, at, block, n, MPI_BYTE, &status)
           : MPI_File_read_at(file, at, block, n, MPI_BYTE, &status);
  else if (strcmp(kind, "COLL") == 0)
    writes ? MPI_File_write_at_all(file, at, block, n, MPI_BYTE, &status)
           : MPI_File_read_at_all(file, at, block, n, MPI_BYTE, &status);
  else if (strcmp(kind, "NB") == 0) {
    writes ? MPI_File_iwrite_at(file, at, block, n, MPI_BYTE, &request)
           : MPI_File_iread_at(file, at, block, n, MPI_BYTE, &request);
    MPI_Wait(&request, &status);
  } else if (writes) {
    MPI_File_write_at_all_begin(file, at, block, n, MPI_BYTE);
    MPI_File_write_at_all_end(file, block, &status);
  } else {
    MPI_File_read_at_all_begin(file, at, block, n, MPI_BYTE);
    MPI_File_read_at_all_end(file, block, &status);
  }
}

static void on_mpi_file(const char* what, int slot, long long a, long long b, long long c, const char* name) {
  MPI_Info info = MPI_INFO_NULL;
  if (c != 0) {
    MPI_Info_create(&info);
    MPI_Info_set(info, "cb_nodes", "1");
  }
  if (strcmp(what, "mopen") == 0)
    MUST(MPI_File_open(b ? MPI_COMM_WORLD : MPI_COMM_SELF, name, (int)a, info, &files[slot]) == MPI_SUCCESS);
  else if (strcmp(what, "mclose") == 0) MPI_File_close(&files[slot]);
  else if (strcmp(what, "msync") == 0) MPI_File_sync(files[slot]);
  else if (strcmp(what, "mview") == 0) MPI_File_set_view(files[slot], 0, MPI_BYTE, MPI_BYTE, "native", info);
  else if (strcmp(what, "mwrite") == 0 || strcmp(what, "mread") == 0) transfer(name, files[slot], a, b, what[1] == 'w');
  else if (strcmp(what, "mbarrier") == 0) MPI_Barrier(MPI_COMM_WORLD);
  else MUST(!"a known step");
  if (info != MPI_INFO_NULL) MPI_Info_free(&info);
}
#endif

static void perform(char* line) {
  char what[32], name[256] = "";
  int slot = 0;
  long long a = 0, b = 0, c = 0;
  step = line;
  MUST(sscanf(line, "%31s %d %lld %lld %lld %255s", what, &slot, &a, &b, &c, name) >= 1);
#ifdef WITH_MPI
  if (what[0] == 'm' && strcmp(what, "mmap") != 0) return on_mpi_file(what, slot, a, b, c, name);
#endif
  if (what[0] == 'f' && strcmp(what, "fsync") != 0 && strcmp(what, "fdatasync") != 0 && strcmp(what, "fstat") != 0)
    return on_stream(what, slot, a, b, c, name);
  if (strcmp(what, "rewind") == 0) return on_stream(what, slot, a, b, c, name);
  on_descriptor(what, slot, a, b, c, name);
}

int main(int argc, char** argv) {
  int mine = 2;
#ifdef WITH_MPI
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  mine += rank;
#endif
  if (mine >= argc || chdir(argv[1]) != 0 || posix_memalign((void**)&block, 4096, kMost + 4096) != 0) return 2;
  memset(block, 'x', kMost + 4096);
  for (char* line = strtok(argv[mine], "\n"); line != NULL; line = strtok(NULL, "\n")) perform(line);
#ifdef WITH_MPI
  MPI_Finalize();
#endif
  return 0;
}
