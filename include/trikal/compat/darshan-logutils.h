#ifndef TRIKAL_COMPAT_DARSHAN_LOGUTILS_H
#define TRIKAL_COMPAT_DARSHAN_LOGUTILS_H
/*
 * The C interface of libdarshan-util, as our library of that name has it: names, structs and byte offsets are those
 * of Darshan 3.5.0, so that programs built against either library run with the other.
 *
 * Functions that return int return a negative number on failure, after one line on standard error. Memory that the
 * library hands out comes from malloc, one block each unless said otherwise; darshan_free and free release it.
 */

#include <stddef.h>
#include <stdint.h>

#include "trikal/compat/darshan-records.h"
#include "trikal/compat/name-hash.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* What a buffer handed to darshan_log_get_record must hold; larger records are refused there. */
#define DEF_MOD_BUF_SIZE 81920
#define DARSHAN_MAX_MODS 64
#define DARSHAN_KNOWN_MODULE_COUNT 18
#define DARSHAN_EXE_LEN 3015
#define DARSHAN_JOB_METADATA_LEN 1024

enum darshan_comp_type { DARSHAN_ZLIB_COMP, DARSHAN_BZIP2_COMP, DARSHAN_NO_COMP };

struct darshan_log_map {
  uint64_t off; /* in the file; both 0 where there is no such region */
  uint64_t len; /* compressed bytes */
};

struct darshan_fd_int_state;

/* An open log. To be read, never written, by callers. */
struct darshan_fd_s {
  char version[8]; /* of the log, "3.41"; first, because callers read the handle as text */
  int swap_flag;   /* 1: the log was written in the other byte order */
  uint64_t partial_flag; /* bit i: module i ran out of memory when the log was made */
  enum darshan_comp_type comp_type;
  struct darshan_log_map job_map;
  struct darshan_log_map name_map;
  struct darshan_log_map mod_map[DARSHAN_MAX_MODS]; /* by module id of today, whatever the log's version */
  uint32_t mod_ver[DARSHAN_MAX_MODS];               /* record versions as the log has them */
  struct darshan_fd_int_state* state;
  int64_t first_heatmap_record_nbins;
  double first_heatmap_record_bin_width_seconds;
};
typedef struct darshan_fd_s* darshan_fd;

struct darshan_job {
  int64_t uid;
  int64_t start_time_sec;
  int64_t start_time_nsec;
  int64_t end_time_sec;
  int64_t end_time_nsec;
  int64_t nprocs;
  int64_t jobid;
  char metadata[DARSHAN_JOB_METADATA_LEN]; /* "key=value" lines */
};

struct darshan_mnt_info {
  char mnt_type[DARSHAN_EXE_LEN];
  char mnt_path[DARSHAN_EXE_LEN];
};

struct darshan_mod_info {
  const char* name; /* NULL: an id that nobody knows; not to be freed */
  int len;          /* compressed bytes */
  int ver;
  int idx;
  int partial_flag; /* 0 or 1 */
};

struct darshan_name_record_info {
  darshan_record_id id;
  char* name; /* from malloc */
};

/* A Lustre record found by a file's record id: what the text of a trace needs to name storage targets. */
struct lustre_record_ref {
  struct darshan_lustre_record* rec;
  UT_hash_handle hlink;
};

/* ---- Reading ---- */

/* NULL on failure. Close what was opened; closing NULL does nothing. */
darshan_fd darshan_log_open(const char* name);
void darshan_log_close(darshan_fd fd);

int darshan_log_get_job(darshan_fd fd, struct darshan_job* job);
/* `buf` holds at least 4096 bytes. */
int darshan_log_get_exe(darshan_fd fd, char* buf);
/* Seconds the job ran; `job` must be the one darshan_log_get_job gave. */
int darshan_log_get_job_runtime(darshan_fd fd, struct darshan_job job, double* runtime);
/* Longest path first, the order in which a file's mount is looked up. The array is left alone where there are none. */
int darshan_log_get_mounts(darshan_fd fd, struct darshan_mnt_info** mounts, int* count);
/* Modules with data, by id. */
void darshan_log_get_modules(darshan_fd fd, struct darshan_mod_info** mods, int* count);

/* Names in the order of the log; each is a block of its own. The filtered forms: only those whose id is in `ids`. */
void darshan_log_get_name_records(darshan_fd fd, struct darshan_name_record_info** names, int* count);
void darshan_log_get_filtered_name_records(darshan_fd fd, struct darshan_name_record_info** names, int* count,
                                           darshan_record_id* ids, int id_count);
/* The same added to a hash table (see name-hash.h); ids that are in it already keep their name. */
int darshan_log_get_namehash(darshan_fd fd, struct darshan_name_record_ref** hash);
int darshan_log_get_filtered_namehash(darshan_fd fd, struct darshan_name_record_ref** hash, darshan_record_id* ids,
                                      int id_count);

/*
 * The next record of a module: 1, or 0 at the end, or -1. With *buf NULL the record is a new block, to be released
 * with darshan_free; else it is written to *buf. After 0, and after anything else was read from the log, the module
 * starts again from its first record.
 */
int darshan_log_get_record(darshan_fd fd, int mod_idx, void** buf);
/* Plain bytes of a module as the log has them: not converted, not swapped. Returns how many; 0 at the end. */
int darshan_log_get_mod(darshan_fd fd, darshan_module_id mod_id, void* buf, int size);

char* darshan_log_get_lib_version(void);
void darshan_free(void* ptr);
/* Text on standard output where logs of this version are known to hold wrong values, else nothing. */
void darshan_log_print_version_warnings(const char* version_string);

/* ---- Writing: job, exe, mounts, names, then modules by ascending id; the file is there after the close ---- */

darshan_fd darshan_log_create(const char* name, enum darshan_comp_type comp_type, int partial_flag);
int darshan_log_put_job(darshan_fd fd, struct darshan_job* job);
int darshan_log_put_exe(darshan_fd fd, char* buf);
int darshan_log_put_mounts(darshan_fd fd, struct darshan_mnt_info* mounts, int count);
int darshan_log_put_namehash(darshan_fd fd, struct darshan_name_record_ref* hash);
/* Bytes of records as they lie in a log of version `ver`; several calls for one module continue each other. */
int darshan_log_put_mod(darshan_fd fd, darshan_module_id mod_id, void* buf, int size, int ver);

/* ---- What each module can do; by module id. No entry for id 0, and no function where a module cannot do it ---- */

struct darshan_mod_logutil_funcs {
  int (*log_get_record)(darshan_fd fd, void** buf); /* as darshan_log_get_record */
  int (*log_put_record)(darshan_fd fd, void* buf);  /* a record as the former gives it */
  void (*log_print_record)(void* rec, char* file_name, char* mnt_pt, char* fs_type);
  void (*log_print_description)(int ver);
  void (*log_print_diff)(void* rec1, char* name1, void* rec2, char* name2); /* either record may be NULL */
  void (*log_agg_records)(void* rec, void* agg_rec, int init_flag); /* agg_rec starts as zero bytes */
  int (*log_sizeof_record)(void* rec);
  int (*log_record_metrics)(void* rec, uint64_t* rec_id, int64_t* r_bytes, int64_t* w_bytes, int64_t* max_offset,
                            double* io_total_time, double* md_only_time, double* rw_only_time, int64_t* rank,
                            int64_t* nprocs);
};
extern struct darshan_mod_logutil_funcs* mod_logutils[DARSHAN_KNOWN_MODULE_COUNT];

/* A trace on standard output, as darshan-dxt-parser shows it. */
void dxt_log_print_posix_file(void* file_rec, char* file_name, char* mnt_pt, char* fs_type,
                              struct lustre_record_ref* rec_ref);
void dxt_log_print_mpiio_file(void* file_rec, char* file_name, char* mnt_pt, char* fs_type);

/* ---- Many records become one ---- */

struct darshan_accumulator_st;
typedef struct darshan_accumulator_st* darshan_accumulator;

enum darshan_file_category {
  DARSHAN_ALL_FILES,
  DARSHAN_RO_FILES, /* only read */
  DARSHAN_WO_FILES, /* only written */
  DARSHAN_RW_FILES,
  DARSHAN_UNIQ_FILES,        /* of one process */
  DARSHAN_SHARED_FILES,      /* of all processes */
  DARSHAN_PART_SHARED_FILES, /* of some */
  DARSHAN_FILE_CATEGORY_MAX
};

/* -1 in an offset: the module does not know offsets. -1 in nprocs: all processes. */
struct darshan_file_category_counters {
  int64_t count;
  int64_t total_read_volume_bytes;
  int64_t total_write_volume_bytes;
  int64_t max_read_volume_bytes;
  int64_t max_write_volume_bytes;
  int64_t total_max_offset_bytes;
  int64_t max_offset_bytes;
  int64_t nprocs;
};

struct darshan_derived_metrics {
  int64_t total_bytes;
  double unique_io_total_time_by_slowest; /* the rank that took longest with files of its own */
  double unique_rw_only_time_by_slowest;
  double unique_md_only_time_by_slowest;
  int unique_io_slowest_rank;
  double shared_io_total_time_by_slowest;
  double agg_perf_by_slowest; /* MiB/s */
  double agg_time_by_slowest;
  struct darshan_file_category_counters category_counters[DARSHAN_FILE_CATEGORY_MAX];
};

/* POSIX, MPI-IO, STDIO, DFS and DAOS; others fail and leave NULL. `nprocs` is the job's. */
int darshan_accumulator_create(darshan_module_id id, int64_t nprocs, darshan_accumulator* accumulator);
/* `records` lie behind each other; their ranks are below nprocs. */
int darshan_accumulator_inject(darshan_accumulator accumulator, void* records, int record_count);
int darshan_accumulator_emit(darshan_accumulator accumulator, struct darshan_derived_metrics* metrics,
                             void* aggregation_record);
int darshan_accumulator_destroy(darshan_accumulator accumulator);

/* ---- Counter names; the last entry is "<PREFIX>_NUM_INDICES" or "<PREFIX>_F_NUM_INDICES" ---- */

extern char *null_counter_names[], *null_f_counter_names[];
extern char *posix_counter_names[], *posix_f_counter_names[];
extern char *mpiio_counter_names[], *mpiio_f_counter_names[];
extern char *h5f_counter_names[], *h5f_f_counter_names[];
extern char *h5d_counter_names[], *h5d_f_counter_names[];
extern char *pnetcdf_file_counter_names[], *pnetcdf_file_f_counter_names[];
extern char *pnetcdf_var_counter_names[], *pnetcdf_var_f_counter_names[];
extern char *bgq_counter_names[], *bgq_f_counter_names[];
extern char* lustre_comp_counter_names[];
extern char *stdio_counter_names[], *stdio_f_counter_names[];
extern char *mdhim_counter_names[], *mdhim_f_counter_names[];
extern char* apxc_counter_names[];
extern char *apmpi_counter_names[], *apmpi_f_mpiop_totaltime_counter_names[];
extern char *apmpi_f_mpiop_synctime_counter_names[], *apmpi_f_mpi_global_counter_names[];
extern char *dfs_counter_names[], *dfs_f_counter_names[];
extern char *daos_counter_names[], *daos_f_counter_names[];

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
