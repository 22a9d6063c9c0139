/* An MPI library that is none: ranks come from the environment, files are read and written with POSIX. With STANDARD it
 * says that it has the standard's binary interface, with NATIVE that it knows of it but has another, and without
 * either it says nothing that anybody could know it by. */
#define _GNU_SOURCE
#include "fake_mpi.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct fake_File {
  int descriptor;
};

static int begun, over;
static char hint_key[64], hint_value[64];

static int number(const char* name, int otherwise) {
  const char* text = getenv(name);
  return text == NULL ? otherwise : atoi(text);
}
static size_t size_of(MPI_Datatype type) { return type == MPI_INT ? 4 : 1; }
static int done(MPI_Status* status, ssize_t moved) {
  if (moved < 0) return 35;
  if (status != MPI_STATUS_IGNORE) memcpy(status->inside, &moved, sizeof moved);
  return MPI_SUCCESS;
}
static int flags_of(int mode) {
  int flags = mode & MPI_MODE_RDWR ? O_RDWR : mode & MPI_MODE_WRONLY ? O_WRONLY : O_RDONLY;
  return flags | (mode & MPI_MODE_CREATE ? O_CREAT : 0) | (mode & MPI_MODE_EXCL ? O_EXCL : 0);
}

/* Each function under both names, as in real libraries. */
#define BOTH(name, parameters)                                 \
  int P##name parameters;                                      \
  int name parameters __attribute__((weak, alias("P" #name))); \
  int P##name parameters

BOTH(MPI_Init, (int* argc, char*** argv)) { return (void)argc, (void)argv, begun = 1, MPI_SUCCESS; }
BOTH(MPI_Finalize, (void)) { return over = 1, MPI_SUCCESS; }
BOTH(MPI_Initialized, (int* flag)) { return *flag = begun, MPI_SUCCESS; }
BOTH(MPI_Finalized, (int* flag)) { return *flag = over, MPI_SUCCESS; }
BOTH(MPI_Comm_rank, (MPI_Comm comm, int* rank)) {
  if (comm != MPI_COMM_WORLD && comm != MPI_COMM_SELF) return 5;
  return *rank = comm == MPI_COMM_WORLD ? number("FAKE_RANK", 0) : 0, MPI_SUCCESS;
}
BOTH(MPI_Comm_size, (MPI_Comm comm, int* size)) {
  if (comm != MPI_COMM_WORLD && comm != MPI_COMM_SELF) return 5;
  return *size = comm == MPI_COMM_WORLD ? number("FAKE_SIZE", 1) : 1, MPI_SUCCESS;
}
BOTH(MPI_Comm_get_parent, (MPI_Comm * parent)) { return *parent = MPI_COMM_NULL, MPI_SUCCESS; }
BOTH(MPI_Type_size_x, (MPI_Datatype type, MPI_Count* size)) { return *size = (MPI_Count)size_of(type), MPI_SUCCESS; }
BOTH(MPI_Get_elements_x, (const MPI_Status* status, MPI_Datatype type, MPI_Count* count)) {
  ssize_t moved;
  memcpy(&moved, status->inside, sizeof moved);
  return *count = moved / (MPI_Count)size_of(type), MPI_SUCCESS;
}
BOTH(MPI_Info_create, (MPI_Info * info)) { return *info = (MPI_Info)hint_key, MPI_SUCCESS; }
BOTH(MPI_Info_set, (MPI_Info info, const char* key, const char* value)) {
  snprintf((char*)info, sizeof hint_key, "%s", key);
  snprintf(hint_value, sizeof hint_value, "%s", value);
  return MPI_SUCCESS;
}
BOTH(MPI_Info_get_nkeys, (MPI_Info info, int* count)) { return *count = *(char*)info != '\0', MPI_SUCCESS; }
BOTH(MPI_Info_get_nthkey, (MPI_Info info, int n, char* key)) { return (void)n, strcpy(key, (char*)info), MPI_SUCCESS; }
BOTH(MPI_Info_get_string, (MPI_Info info, const char* key, int* capacity, char* value, int* flag)) {
  *flag = strcmp(key, (char*)info) == 0;
  if (*flag) snprintf(value, (size_t)*capacity, "%s", hint_value);
  return MPI_SUCCESS;
}
BOTH(MPI_File_open, (MPI_Comm comm, const char* path, int mode, MPI_Info info, MPI_File* file)) {
  (void)comm, (void)info;
  *file = malloc(sizeof **file);
  (*file)->descriptor = open(path, flags_of(mode), 0644);
  return (*file)->descriptor < 0 ? 35 : MPI_SUCCESS;
}
BOTH(MPI_File_close, (MPI_File * file)) {
  close((*file)->descriptor);
  free(*file);
  return *file = (MPI_File)0x118, MPI_SUCCESS;
}
void (*fake_at_end_of_write)(void);
BOTH(MPI_File_write_at,
     (MPI_File file, MPI_Offset at, const void* data, int count, MPI_Datatype type, MPI_Status* status)) {
  const ssize_t moved = pwrite(file->descriptor, data, (size_t)count * size_of(type), at);
  if (fake_at_end_of_write != NULL) fake_at_end_of_write();
  return done(status, moved);
}
BOTH(MPI_File_read_at, (MPI_File file, MPI_Offset at, void* data, int count, MPI_Datatype type, MPI_Status* status)) {
  return done(status, pread(file->descriptor, data, (size_t)count * size_of(type), at));
}
BOTH(MPI_File_iwrite_at,
     (MPI_File file, MPI_Offset at, const void* data, int count, MPI_Datatype type, MPI_Request* request)) {
  *request = (MPI_Request)malloc(1);
  return done(MPI_STATUS_IGNORE, pwrite(file->descriptor, data, (size_t)count * size_of(type), at));
}
BOTH(MPI_Wait, (MPI_Request * request, MPI_Status* status)) {
  (void)status;
  free(*request);
  return *request = MPI_REQUEST_NULL, MPI_SUCCESS;
}
BOTH(MPI_Get_library_version, (char* text, int* length)) {
  return *length = sprintf(text, "a library for tests"), MPI_SUCCESS;
}
#if defined(STANDARD)
BOTH(MPI_Abi_get_version, (int* major, int* minor)) { return *major = 1, *minor = 0, MPI_SUCCESS; }
#elif defined(NATIVE)
BOTH(MPI_Abi_get_version, (int* major, int* minor)) { return *major = *minor = -1, MPI_SUCCESS; }
#endif
