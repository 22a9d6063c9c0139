/* libtrikal-log: reading Darshan logs from C, or from anything that can call C.
 *
 *   trikal_error error;
 *   trikal_log *log = trikal_open("job.darshan", NULL, &error);
 *   if (log == NULL) return puts(error.text);
 *   ... trikal_open_records, or trikal_open_table for whole columns ...
 *   trikal_close(log);
 *
 * Rules that hold everywhere:
 *  - Handles are opaque. Whoever opens one closes it; a NULL handle is closed by doing nothing.
 *  - Functions that can fail take a trikal_error, which may be NULL. Nothing prints, exits or throws.
 *  - Structures are filled up to the size the caller gives (sizeof of what it was compiled with), so that they can
 *    grow without breaking anyone. Get functions return 0, or -1 where there is no such thing.
 *  - Text belongs to the handle it came from and lives as long, unless its function says otherwise; it ends with a
 *    NUL. Bytes are those of the log: they need not be UTF-8.
 *  - A log may be used by several threads at once. An open iterator or stream is for one thread at a time; it stays
 *    valid after trikal_close.
 */
#ifndef TRIKAL_TRIKAL_H
#define TRIKAL_TRIKAL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__) || defined(__clang__)
#define TRIKAL_API __attribute__((visibility("default")))
#else
#define TRIKAL_API
#endif

/* Raised when something that compiled code relies on changes; the library's soname has the same number. */
#define TRIKAL_ABI_VERSION 1
TRIKAL_API uint32_t trikal_abi_version(void);
/* "0.1.0" */
TRIKAL_API const char* trikal_version(void);

/* ---- errors ---- */

enum trikal_code {
  TRIKAL_OK = 0,
  TRIKAL_SYSTEM = 1,      /* a system call failed: system_errno */
  TRIKAL_NOT_A_LOG = 2,   /* not a Darshan log */
  TRIKAL_UNSUPPORTED = 3, /* a log, a module or a version this library cannot read */
  TRIKAL_DAMAGED = 4,     /* the log contradicts itself */
  TRIKAL_TRUNCATED = 5,   /* the file ends before the log does */
  TRIKAL_LIMIT = 6,       /* a limit was reached, see trikal_options */
  TRIKAL_USAGE = 7,       /* the caller asked for something that makes no sense */
  TRIKAL_MISSING = 8,     /* what was asked for is not in the log */
  TRIKAL_MEMORY = 9       /* out of memory */
};

#define TRIKAL_NO_OFFSET UINT64_MAX

typedef struct trikal_error {
  int32_t code; /* enum trikal_code */
  int32_t system_errno;
  uint64_t offset; /* byte of the log it is about, or TRIKAL_NO_OFFSET */
  char text[240];  /* one line, no full stop */
} trikal_error;

/* ---- opening ---- */

typedef struct trikal_log trikal_log;

enum trikal_flag {
  TRIKAL_SALVAGE = 1,   /* read what comes before damage instead of failing; see trikal_damage_count */
  TRIKAL_NO_THREADS = 2 /* do not decompress ahead on a thread of its own */
};

typedef struct trikal_options {
  uint64_t flags;          /* enum trikal_flag, or-ed */
  uint64_t memory_limit;   /* bytes any one record, or all names, may take; 0: 1 GiB */
  uint64_t expanded_limit; /* plain bytes of any one module; 0: 64 GiB */
} trikal_options;

/* NULL on failure. `options` may be NULL. */
TRIKAL_API trikal_log* trikal_open(const char* path, const trikal_options* options, trikal_error* error);
/* A log in memory; the bytes are copied. */
TRIKAL_API trikal_log* trikal_open_memory(const void* bytes, size_t size, const trikal_options* options,
                                          trikal_error* error);
TRIKAL_API void trikal_close(trikal_log* log);

/* ---- the job ---- */

typedef struct trikal_job {
  int64_t uid, job_id, nprocs;
  int64_t start_sec, start_nsec, end_sec, end_nsec;
  double run_time; /* seconds */
  const char* exe; /* the command line */
  const char* log_version;
  const char* compression; /* "zlib", "bzip2" or "none" */
  uint64_t file_bytes;
  uint64_t foreign; /* 1: written on a machine of the other byte order */
} trikal_job;
TRIKAL_API int trikal_get_job(const trikal_log* log, trikal_job* job, size_t size);

/* What the runtime or the user noted (key, value), and mounted file systems (path, type; longest path first). */
typedef struct trikal_pair {
  const char *first, *second;
} trikal_pair;
TRIKAL_API size_t trikal_metadata_count(const trikal_log* log);
TRIKAL_API int trikal_get_metadata(const trikal_log* log, size_t index, trikal_pair* pair, size_t size);
TRIKAL_API size_t trikal_mount_count(const trikal_log* log);
TRIKAL_API int trikal_get_mount(const trikal_log* log, size_t index, trikal_pair* pair, size_t size);

/* ---- names of records ---- */

typedef struct trikal_name {
  uint64_t id;
  const char* text; /* `length` bytes, no NUL behind them */
  uint64_t length;
  const char *mount, *fs_type; /* NULL: on none of the file systems the log knows */
} trikal_name;
/* Reads the names if need be. 0, or -1 on failure. */
TRIKAL_API int trikal_name_count(trikal_log* log, uint64_t* count, trikal_error* error);
/* After trikal_name_count. */
TRIKAL_API int trikal_get_name(const trikal_log* log, uint64_t index, trikal_name* name, size_t size);
/* By record id; -1: the log has no name for it. After trikal_name_count. */
TRIKAL_API int trikal_find_name(const trikal_log* log, uint64_t id, trikal_name* name, size_t size);

/* ---- modules, and what their records hold ---- */

typedef struct trikal_module {
  uint32_t id;
  uint32_t version;  /* of the records in this log; they are handed out in the newest version */
  uint32_t partial;  /* 1: the runtime ran out of memory for it, records are missing */
  uint32_t readable; /* 0: a module or version this library does not know */
  uint64_t compressed_bytes;
  const char* name; /* "POSIX"; "" if nobody knows it */
  const char* help;
} trikal_module;
/* Modules of the log that have data. */
TRIKAL_API size_t trikal_module_count(const trikal_log* log);
TRIKAL_API int trikal_get_module(const trikal_log* log, size_t index, trikal_module* module, size_t size);

enum trikal_kind { TRIKAL_I64 = 0, TRIKAL_U64 = 1, TRIKAL_F64 = 2, TRIKAL_TEXT = 3, TRIKAL_UUID = 4 };

/* Where a value lies in each record of a module, newest version. Text and lists live as long as the library. */
typedef struct trikal_value {
  const char* name; /* "POSIX_BYTES_READ" */
  const char* unit; /* "bytes"; "" for a plain number */
  const char* help;
  uint32_t kind;   /* enum trikal_kind */
  uint32_t offset; /* in the record */
  uint32_t bytes;
  uint32_t reserved;
} trikal_value;
TRIKAL_API size_t trikal_value_count(uint32_t module);
TRIKAL_API int trikal_get_value(uint32_t module, size_t index, trikal_value* value, size_t size);
TRIKAL_API int trikal_find_value(uint32_t module, const char* name, trikal_value* value, size_t size);

/* ---- records ---- */

typedef struct trikal_records trikal_records;

/* Valid until the next trikal_next_record. Numbers are in this machine's byte order, not always aligned. */
typedef struct trikal_record {
  uint64_t id;
  int64_t rank; /* -1: all ranks, folded into one record */
  const void* bytes;
  uint64_t size;
  /* Traces have no bound: a record comes in parts, each with the head in `bytes` and some of its items here. */
  const void* items;
  uint64_t items_size;
  uint64_t first_item; /* number of the first of them */
  uint32_t last;       /* 1: the record's last part */
  uint32_t described;  /* 0: a record that the module's values do not describe (headers of AutoPerf) */
} trikal_record;

/* NULL on failure; TRIKAL_MISSING where the log has no data of the module. */
TRIKAL_API trikal_records* trikal_open_records(trikal_log* log, uint32_t module, trikal_error* error);
/* 1: a record; 0: the end; -1: an error, everything before it has been handed out. */
TRIKAL_API int trikal_next_record(trikal_records* records, trikal_record* record, size_t size, trikal_error* error);
TRIKAL_API void trikal_close_records(trikal_records* records);

/* A value out of a record; 0 where the record does not hold it or it is of another kind. */
TRIKAL_API int64_t trikal_integer_of(const trikal_record* record, const trikal_value* value);
TRIKAL_API double trikal_real_of(const trikal_record* record, const trikal_value* value);

/* ---- damage ---- */

typedef struct trikal_damage {
  uint32_t loss; /* 0: odd, but nothing is lost */
  int32_t code;  /* enum trikal_code */
  uint64_t offset;
  uint64_t salvaged; /* records of that part read before it */
  const char* part; /* "header", "names", "POSIX" ... */
  const char* what;
} trikal_damage;
/* Known so far: reading finds more. Text of the damage is valid until the next call of this function. */
TRIKAL_API size_t trikal_damage_count(trikal_log* log);
TRIKAL_API int trikal_get_damage(const trikal_log* log, size_t index, trikal_damage* damage, size_t size);

/* ---- tables: whole columns, by the Arrow C Data Interface ---- */

/* The structures of https://arrow.apache.org/docs/format/CDataInterface.html and CStreamInterface.html: an ABI that
 * is fixed for good, to be declared by everyone who uses it. */
#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  int64_t flags;
  int64_t n_children;
  struct ArrowSchema** children;
  struct ArrowSchema* dictionary;
  void (*release)(struct ArrowSchema*);
  void* private_data;
};

struct ArrowArray {
  int64_t length;
  int64_t null_count;
  int64_t offset;
  int64_t n_buffers;
  int64_t n_children;
  const void** buffers;
  struct ArrowArray** children;
  struct ArrowArray* dictionary;
  void (*release)(struct ArrowArray*);
  void* private_data;
};

#endif /* ARROW_C_DATA_INTERFACE */

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

struct ArrowArrayStream {
  int (*get_schema)(struct ArrowArrayStream*, struct ArrowSchema* out);
  int (*get_next)(struct ArrowArrayStream*, struct ArrowArray* out);
  const char* (*get_last_error)(struct ArrowArrayStream*);
  void (*release)(struct ArrowArrayStream*);
  void* private_data;
};

#endif /* ARROW_C_STREAM_INTERFACE */

typedef struct trikal_table {
  const char* name;   /* "posix", "dxt_posix_segments", "names" ... as `trikal export` has them */
  const char* module; /* "POSIX"; "" for tables about the log itself */
  const char* help;
} trikal_table;
TRIKAL_API size_t trikal_table_count(const trikal_log* log);
TRIKAL_API int trikal_get_table(const trikal_log* log, size_t index, trikal_table* table, size_t size);

enum trikal_table_flag {
  TRIKAL_NO_NAMES = 1 /* without the columns name, mount and fs_type beside record ids */
};
/* A stream of record batches, at most `rows` rows each (0: 65536). Text is UTF-8: what was none is U+FFFD. */
TRIKAL_API int trikal_open_table(trikal_log* log, const char* table, uint64_t flags, uint64_t rows,
                                 struct ArrowArrayStream* stream, trikal_error* error);

#ifdef __cplusplus
}
#endif

#endif /* TRIKAL_TRIKAL_H */
