#ifndef TRIKAL_COMPAT_DARSHAN_RECORDS_H
#define TRIKAL_COMPAT_DARSHAN_RECORDS_H
/* Records of every module as libdarshan-util hands them out: in the byte order of this machine, in the newest form. */

#include <stdint.h>

typedef uint64_t darshan_record_id;

/* In the order of their ids. */
typedef enum {
  DARSHAN_NULL_MOD,
  DARSHAN_POSIX_MOD,
  DARSHAN_MPIIO_MOD,
  DARSHAN_H5F_MOD,
  DARSHAN_H5D_MOD,
  DARSHAN_PNETCDF_FILE_MOD,
  DARSHAN_PNETCDF_VAR_MOD,
  DARSHAN_BGQ_MOD,
  DARSHAN_LUSTRE_MOD,
  DARSHAN_STDIO_MOD,
  DXT_POSIX_MOD,
  DXT_MPIIO_MOD,
  DARSHAN_MDHIM_MOD,
  DARSHAN_APXC_MOD,
  DARSHAN_APMPI_MOD,
  DARSHAN_HEATMAP_MOD,
  DARSHAN_DFS_MOD,
  DARSHAN_DAOS_MOD
} darshan_module_id;

/* How every record begins. */
struct darshan_base_record {
  darshan_record_id id; /* the hash of the record's name */
  int64_t rank;         /* -1: all ranks made one */
};

struct darshan_posix_file {
  struct darshan_base_record base_rec;
  int64_t counters[69];
  double fcounters[17];
};

struct darshan_mpiio_file {
  struct darshan_base_record base_rec;
  int64_t counters[51];
  double fcounters[17];
};

struct darshan_hdf5_file {
  struct darshan_base_record base_rec;
  int64_t counters[3];
  double fcounters[5];
};

struct darshan_hdf5_dataset {
  struct darshan_base_record base_rec;
  uint64_t file_rec_id; /* the record of the file it is in */
  int64_t counters[94];
  double fcounters[17];
};

struct darshan_pnetcdf_file {
  struct darshan_base_record base_rec;
  int64_t counters[9];
  double fcounters[8];
};

struct darshan_pnetcdf_var {
  struct darshan_base_record base_rec;
  uint64_t file_rec_id;
  int64_t counters[120];
  double fcounters[17];
};

struct darshan_bgq_record {
  struct darshan_base_record base_rec;
  int64_t counters[11];
  double fcounters[1];
};

struct darshan_lustre_component {
  int64_t counters[7];
  char pool_name[16];
};

/* Components and targets lie in the same block as the record. */
struct darshan_lustre_record {
  struct darshan_base_record base_rec;
  int64_t num_comps;
  int64_t num_stripes; /* of all components together */
  struct darshan_lustre_component* comps;
  int64_t* ost_ids; /* those of the first component first */
};

struct darshan_stdio_file {
  struct darshan_base_record base_rec;
  int64_t counters[14];
  double fcounters[15];
};

/* Followed by write_count, then read_count segments. */
struct dxt_file_record {
  struct darshan_base_record base_rec;
  int64_t shared_record;
  char hostname[64];
  int64_t write_count;
  int64_t read_count;
};

/*
 * One access. Programs built for Darshan 3.5.0 know only the first four members and a segment of 32 bytes: the
 * environment variable TRIKAL_DXT_SEGMENT_BYTES=32 gives them theirs. PyDarshan needs no setting.
 */
typedef struct segment_info {
  int64_t offset; /* -1: not known */
  int64_t length;
  double start_time;
  double end_time;
  uint64_t pthread_id; /* 0: not known */
} segment_info;

struct darshan_mdhim_record {
  struct darshan_base_record base_rec;
  int64_t counters[5];
  double fcounters[4];
  int64_t server_histogram[1]; /* as many as counters[4] says, at least one */
};

struct darshan_apxc_header_record {
  struct darshan_base_record base_rec;
  int64_t magic;
  int64_t nblades;
  int64_t nchassis;
  int64_t ngroups;
  int64_t memory_mode;
  int64_t cluster_mode;
  uint64_t appid;
};

struct darshan_apxc_perf_record {
  struct darshan_base_record base_rec;
  int64_t group;
  int64_t chassis;
  int64_t blade;
  int64_t node;
  uint64_t counters[392];
};

struct darshan_apmpi_header_record {
  struct darshan_base_record base_rec;
  int64_t magic;
  uint32_t sync_flag;
  double apmpi_f_variance_total_mpitime;
  double apmpi_f_variance_total_mpisynctime;
};

struct darshan_apmpi_perf_record {
  struct darshan_base_record base_rec;
  uint64_t counters[396];
  double fcounters[222];
  double fsynccounters[16];
  double fglobalcounters[2];
  char node_name[128];
};

/* Bins lie in the same block as the record. */
struct darshan_heatmap_record {
  struct darshan_base_record base_rec;
  double bin_width_seconds;
  int64_t nbins;
  int64_t* write_bins;
  int64_t* read_bins;
};

struct darshan_dfs_file {
  struct darshan_base_record base_rec;
  int64_t counters[52];
  double fcounters[15];
  unsigned char pool_uuid[16];
  unsigned char cont_uuid[16];
};

struct darshan_daos_object {
  struct darshan_base_record base_rec;
  int64_t counters[64];
  double fcounters[15];
  unsigned char pool_uuid[16];
  unsigned char cont_uuid[16];
  uint64_t oid_hi;
  uint64_t oid_lo;
};

#endif
