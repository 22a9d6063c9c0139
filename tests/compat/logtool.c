/*
 * A program as users of libdarshan-util write them: it knows the library by its header alone.
 *
 *   logtool counters LOG     every counter of the modules with plain records, from their structs
 *   logtool print LOG        every value of every module, as the library prints it
 *   logtool dxt LOG          every traced segment
 *   logtool traces LOG       the same, as the library prints it
 *   logtool total LOG        what the accumulators make of the log
 *   logtool copy LOG OUT     the log once more, through the writing half of the interface
 *   logtool plain LOG        bytes of each module, and a sum over them
 */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trikal/compat/darshan-logutils.h"

struct log {
  darshan_fd fd;
  struct darshan_job job;
  struct darshan_mnt_info* mounts;
  int mount_count;
  struct darshan_name_record_ref* names;
};

struct layout {
  int module;
  size_t counters_at; /* in the record */
  char **names, **f_names;
};

static const char* name_of(const struct log* log, darshan_record_id id) {
  struct darshan_name_record_ref* ref = NULL;
  HASH_FIND(hlink, log->names, &id, sizeof id, ref);
  return ref != NULL ? ref->name_record->name : NULL;
}

static const struct darshan_mnt_info* mount_of(const struct log* log, const char* name) {
  for (int i = 0; name != NULL && i < log->mount_count; ++i) {
    if (strncmp(name, log->mounts[i].mnt_path, strlen(log->mounts[i].mnt_path)) == 0) return &log->mounts[i];
  }
  return NULL;
}

static int open_log(const char* path, struct log* log) {
  memset(log, 0, sizeof *log);
  log->fd = darshan_log_open(path);
  if (log->fd == NULL) return -1;
  if (darshan_log_get_job(log->fd, &log->job) != 0) return -1;
  if (darshan_log_get_mounts(log->fd, &log->mounts, &log->mount_count) != 0) return -1;
  return darshan_log_get_namehash(log->fd, &log->names);
}

static void close_log(struct log* log) {
  struct darshan_name_record_ref *ref, *next;
  HASH_ITER(hlink, log->names, ref, next) {
    HASH_DELETE(hlink, log->names, ref);
    free(ref->name_record);
    free(ref);
  }
  darshan_free(log->mounts);
  darshan_log_close(log->fd);
}

static const struct layout layouts[] = {
    {DARSHAN_POSIX_MOD, 16, posix_counter_names, posix_f_counter_names},
    {DARSHAN_MPIIO_MOD, 16, mpiio_counter_names, mpiio_f_counter_names},
    {DARSHAN_H5F_MOD, 16, h5f_counter_names, h5f_f_counter_names},
    {DARSHAN_H5D_MOD, 24, h5d_counter_names, h5d_f_counter_names},
    {DARSHAN_PNETCDF_FILE_MOD, 16, pnetcdf_file_counter_names, pnetcdf_file_f_counter_names},
    {DARSHAN_PNETCDF_VAR_MOD, 24, pnetcdf_var_counter_names, pnetcdf_var_f_counter_names},
    {DARSHAN_BGQ_MOD, 16, bgq_counter_names, bgq_f_counter_names},
    {DARSHAN_STDIO_MOD, 16, stdio_counter_names, stdio_f_counter_names},
    {DARSHAN_MDHIM_MOD, 16, mdhim_counter_names, mdhim_f_counter_names},
    {DARSHAN_DFS_MOD, 16, dfs_counter_names, dfs_f_counter_names},
    {DARSHAN_DAOS_MOD, 16, daos_counter_names, daos_f_counter_names},
};

static int is_end(const char* name) { return strstr(name, "_NUM_INDICES") != NULL; }

static void show_counters(const struct layout* layout, const char* module, const void* record) {
  const struct darshan_base_record* base = record;
  const char* at = (const char*)record + layout->counters_at;
  for (char** name = layout->names; !is_end(*name); ++name, at += 8) {
    printf("%s\t%" PRId64 "\t%" PRIu64 "\t%s\t%" PRId64 "\n", module, base->rank, base->id, *name, *(const int64_t*)at);
  }
  for (char** name = layout->f_names; !is_end(*name); ++name, at += 8) {
    printf("%s\t%" PRId64 "\t%" PRIu64 "\t%s\t%f\n", module, base->rank, base->id, *name, *(const double*)at);
  }
}

static int counters(struct log* log) {
  struct darshan_mod_info* mods = NULL;
  int count = 0, result = 0;
  darshan_log_get_modules(log->fd, &mods, &count);
  for (int i = 0; i < count; ++i) {
    for (size_t k = 0; k < sizeof layouts / sizeof layouts[0]; ++k) {
      void* record = NULL;
      if (layouts[k].module != mods[i].idx) continue;
      while ((result = darshan_log_get_record(log->fd, mods[i].idx, &record)) == 1) {
        show_counters(&layouts[k], mods[i].name, record);
        darshan_free(record);
        record = NULL;
      }
      if (result < 0) break;
    }
  }
  darshan_free(mods);
  return result;
}

/* Through the table of modules and with one buffer for all records, as the tools of Darshan do it. */
static int print(struct log* log) {
  void* buffer = malloc(DEF_MOD_BUF_SIZE);
  int result = 0;
  for (int i = 1; i < DARSHAN_KNOWN_MODULE_COUNT && result == 0; ++i) {
    if (i == DXT_POSIX_MOD || i == DXT_MPIIO_MOD) continue;
    while ((result = mod_logutils[i]->log_get_record(log->fd, &buffer)) == 1) {
      const char* name = name_of(log, ((struct darshan_base_record*)buffer)->id);
      const struct darshan_mnt_info* mount = mount_of(log, name);
      mod_logutils[i]->log_print_record(buffer, (char*)name, (char*)(mount ? mount->mnt_path : "UNKNOWN"),
                                        (char*)(mount ? mount->mnt_type : "UNKNOWN"));
    }
  }
  free(buffer);
  return result;
}

static void show_segments(const struct log* log, const char* module, const struct dxt_file_record* record) {
  const segment_info* segment = (const segment_info*)(record + 1);
  const char* name = name_of(log, record->base_rec.id);
  for (int64_t i = 0; i < record->write_count + record->read_count; ++i, ++segment) {
    const int is_write = i < record->write_count;
    printf("%s\t%" PRIu64 "\t%" PRId64 "\t%.64s\t%s\t%" PRId64 "\t%" PRId64 "\t%" PRId64 "\t%.4f\t%.4f\t%s\n", module,
           record->base_rec.id, record->base_rec.rank, record->hostname, is_write ? "write" : "read",
           is_write ? i : i - record->write_count, segment->offset, segment->length, segment->start_time,
           segment->end_time, name ? name : "(null)");
  }
}

static int dxt(struct log* log) {
  const int modules[2] = {DXT_POSIX_MOD, DXT_MPIIO_MOD};
  int result = 0;
  for (int i = 0; i < 2 && result == 0; ++i) {
    void* record = NULL;
    while ((result = darshan_log_get_record(log->fd, modules[i], &record)) == 1) {
      show_segments(log, i == 0 ? "X_POSIX" : "X_MPIIO", record);
      darshan_free(record);
      record = NULL;
    }
  }
  return result;
}

/* Lustre records are kept, so that the text of a trace can tell the targets. */
static struct lustre_record_ref* read_lustre(struct log* log) {
  struct lustre_record_ref* table = NULL;
  struct darshan_lustre_record* record = NULL;
  while (darshan_log_get_record(log->fd, DARSHAN_LUSTRE_MOD, (void**)&record) == 1) {
    struct lustre_record_ref* ref = calloc(1, sizeof *ref);
    ref->rec = record;
    HASH_ADD_KEYPTR(hlink, table, &record->base_rec.id, sizeof record->base_rec.id, ref);
    record = NULL;
  }
  return table;
}

static int traces(struct log* log) {
  struct lustre_record_ref *lustre = read_lustre(log), *ref, *next;
  int result = 0;
  for (int i = DXT_POSIX_MOD; i <= DXT_MPIIO_MOD && result == 0; ++i) {
    void* record = NULL;
    while ((result = mod_logutils[i]->log_get_record(log->fd, &record)) == 1) {
      darshan_record_id id = ((struct dxt_file_record*)record)->base_rec.id;
      char* name = (char*)name_of(log, id);
      const struct darshan_mnt_info* mount = mount_of(log, name);
      char *path = (char*)(mount ? mount->mnt_path : "UNKNOWN"), *type = (char*)(mount ? mount->mnt_type : "UNKNOWN");
      HASH_FIND(hlink, lustre, &id, sizeof id, ref);
      if (i == DXT_POSIX_MOD) dxt_log_print_posix_file(record, name, path, type, ref);
      else dxt_log_print_mpiio_file(record, name, path, type);
      darshan_free(record);
      record = NULL;
    }
  }
  HASH_ITER(hlink, lustre, ref, next) {
    HASH_DELETE(hlink, lustre, ref);
    darshan_free(ref->rec);
    free(ref);
  }
  return result;
}

static void show_metrics(const struct darshan_derived_metrics* m) {
  static const char* const labels[] = {"total", "read_only", "write_only", "read_write", "unique"};
  const struct darshan_file_category_counters* c = m->category_counters;
  for (int i = 0; i < 5; ++i) {
    printf("# %s: %" PRId64 " %" PRId64 " %" PRId64 "\n", labels[i], c[i].count,
           c[i].total_read_volume_bytes + c[i].total_write_volume_bytes, c[i].max_offset_bytes);
  }
  const struct darshan_file_category_counters *all = &c[DARSHAN_SHARED_FILES], *some = &c[DARSHAN_PART_SHARED_FILES];
  printf("# shared: %" PRId64 " %" PRId64 " %" PRId64 "\n", all->count + some->count,
         all->total_read_volume_bytes + all->total_write_volume_bytes + some->total_read_volume_bytes +
             some->total_write_volume_bytes,
         all->max_offset_bytes + some->max_offset_bytes);
  printf("# total_bytes: %" PRId64 "\n", m->total_bytes);
  printf("# unique files: slowest_rank_io_time: %f\n", m->unique_io_total_time_by_slowest);
  printf("# unique files: slowest_rank_meta_only_time: %f\n", m->unique_md_only_time_by_slowest);
  printf("# unique files: slowest_rank_rw_only_time: %f\n", m->unique_rw_only_time_by_slowest);
  printf("# unique files: slowest_rank: %d\n", m->unique_io_slowest_rank);
  printf("# shared files: time_by_slowest: %f\n", m->shared_io_total_time_by_slowest);
  printf("# agg_time_by_slowest: %f # seconds\n", m->agg_time_by_slowest);
  printf("# agg_perf_by_slowest: %f # MiB/s\n", m->agg_perf_by_slowest);
}

static int total_of(struct log* log, const struct layout* layout) {
  darshan_accumulator sum;
  struct darshan_derived_metrics metrics;
  int64_t record[DEF_MOD_BUF_SIZE / 8];
  void* at = record;
  int result;
  if (darshan_accumulator_create((darshan_module_id)layout->module, log->job.nprocs, &sum) != 0) return 0;
  while ((result = darshan_log_get_record(log->fd, layout->module, &at)) == 1) {
    if (darshan_accumulator_inject(sum, record, 1) != 0) return -1;
  }
  memset(record, 0, sizeof record);
  if (result == 0) result = darshan_accumulator_emit(sum, &metrics, record);
  darshan_accumulator_destroy(sum);
  const char* value = (const char*)record + layout->counters_at;
  for (char** name = layout->names; !is_end(*name); ++name, value += 8) {
    printf("total_%s: %" PRId64 "\n", *name, *(const int64_t*)value);
  }
  for (char** name = layout->f_names; !is_end(*name); ++name, value += 8) {
    printf("total_%s: %f\n", *name, *(const double*)value);
  }
  show_metrics(&metrics);
  return result;
}

static int total(struct log* log) {
  int result = 0;
  for (size_t k = 0; k < sizeof layouts / sizeof layouts[0] && result == 0; ++k) {
    if (log->fd->mod_map[layouts[k].module].len > 0) result = total_of(log, &layouts[k]);
  }
  return result;
}

static int copy(struct log* log, const char* path) {
  char exe[4096] = {0};
  int result = 0;
  darshan_fd out = darshan_log_create(path, DARSHAN_ZLIB_COMP, (int)log->fd->partial_flag);
  if (out == NULL || darshan_log_get_exe(log->fd, exe) != 0) return -1;
  if (darshan_log_put_job(out, &log->job) != 0 || darshan_log_put_exe(out, exe) != 0) return -1;
  if (darshan_log_put_mounts(out, log->mounts, log->mount_count) != 0) return -1;
  if (darshan_log_put_namehash(out, log->names) != 0) return -1;
  for (int i = 1; i < DARSHAN_KNOWN_MODULE_COUNT && result == 0; ++i) {
    void* record = NULL;
    while ((result = mod_logutils[i]->log_get_record(log->fd, &record)) == 1) {
      if (mod_logutils[i]->log_put_record(out, record) != 0) return -1;
      darshan_free(record);
      record = NULL;
    }
  }
  darshan_log_close(out);
  return result;
}

static int plain(struct log* log) {
  unsigned char bytes[999];
  int got = 0;
  for (int i = 0; i < DARSHAN_MAX_MODS; ++i) {
    uint64_t count = 0, sum = 0;
    while ((got = darshan_log_get_mod(log->fd, (darshan_module_id)i, bytes, sizeof bytes)) > 0) {
      for (int k = 0; k < got; ++k) sum = sum * 31 + bytes[k];
      count += (uint64_t)got;
    }
    if (got < 0) return -1;
    if (count > 0) printf("%d\t%u\t%" PRIu64 "\t%" PRIu64 "\n", i, log->fd->mod_ver[i], count, sum);
  }
  return 0;
}

int main(int argc, char** argv) {
  struct log log;
  int result = -1;
  if (argc < 3 || open_log(argv[2], &log) != 0) return 2;
  if (strcmp(argv[1], "counters") == 0) result = counters(&log);
  else if (strcmp(argv[1], "print") == 0) result = print(&log);
  else if (strcmp(argv[1], "dxt") == 0) result = dxt(&log);
  else if (strcmp(argv[1], "traces") == 0) result = traces(&log);
  else if (strcmp(argv[1], "total") == 0) result = total(&log);
  else if (strcmp(argv[1], "plain") == 0) result = plain(&log);
  else if (strcmp(argv[1], "copy") == 0 && argc == 4) result = copy(&log, argv[3]);
  close_log(&log);
  return result == 0 ? 0 : 1;
}
