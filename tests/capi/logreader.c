/*
 * A program as users of libtrikal-log write them: it knows the library by its header alone. C and C++.
 *
 *   logreader about LOG            the job, metadata, mounts, names and modules
 *   logreader records LOG          every value of every record that is described by its module's table
 *   logreader sizes LOG            of every module: records, bytes of records, and of their items
 *   logreader tables LOG           the tables
 *   logreader column LOG TABLE COLUMN   one column, by the Arrow C Data Interface
 *   logreader salvage LOG          what can be read of a damaged log, and the damage
 */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <trikal/trikal.h>

static int failed(const trikal_error* error) {
  fprintf(stderr, "code %d offset %" PRId64 ": %s\n", error->code,
          error->offset == TRIKAL_NO_OFFSET ? (int64_t)-1 : (int64_t)error->offset, error->text);
  return 3;
}

static int about(trikal_log* log, trikal_error* error) {
  trikal_job job;
  trikal_pair pair;
  trikal_module module;
  trikal_name name;
  uint64_t names = 0;
  if (trikal_get_job(log, &job, sizeof job) != 0) return 2;
  printf("job\t%" PRId64 "\t%" PRId64 "\t%" PRId64 "\t%.17g\n", job.uid, job.job_id, job.nprocs, job.run_time);
  printf("exe\t%s\nversion\t%s\ncompression\t%s\n", job.exe, job.log_version, job.compression);
  for (size_t i = 0; i < trikal_metadata_count(log); ++i) {
    if (trikal_get_metadata(log, i, &pair, sizeof pair) == 0) printf("metadata\t%s\t%s\n", pair.first, pair.second);
  }
  for (size_t i = 0; i < trikal_mount_count(log); ++i) {
    if (trikal_get_mount(log, i, &pair, sizeof pair) == 0) printf("mount\t%s\t%s\n", pair.first, pair.second);
  }
  if (trikal_name_count(log, &names, error) != 0) return failed(error);
  for (uint64_t i = 0; i < names; ++i) {
    trikal_name found;
    if (trikal_get_name(log, i, &name, sizeof name) != 0) return 2;
    if (trikal_find_name(log, name.id, &found, sizeof found) != 0 || found.text != name.text) return 2;
    printf("name\t%" PRIu64 "\t%.*s\n", name.id, (int)name.length, name.text);
  }
  for (size_t i = 0; i < trikal_module_count(log); ++i) {
    if (trikal_get_module(log, i, &module, sizeof module) != 0) return 2;
    printf("module\t%" PRIu32 "\t%s\t%" PRIu32 "\t%" PRIu32 "\t%" PRIu32 "\n", module.id, module.name, module.version,
           module.partial, module.readable);
  }
  return trikal_get_module(log, trikal_module_count(log), &module, sizeof module) == -1 ? 0 : 2;
}

static void show_value(const trikal_record* record, const trikal_value* value) {
  const unsigned char* bytes = (const unsigned char*)record->bytes + value->offset;
  switch (value->kind) {
    case TRIKAL_I64: printf("%" PRId64, trikal_integer_of(record, value)); break;
    case TRIKAL_U64: printf("%" PRIu64, (uint64_t)trikal_integer_of(record, value)); break;
    case TRIKAL_F64: printf("%.17g", trikal_real_of(record, value)); break;
    case TRIKAL_TEXT: printf("%.*s", (int)value->bytes, (const char*)bytes); break;
    default:
      for (uint32_t i = 0; i < value->bytes; ++i) printf("%02x", bytes[i]);
  }
}

static void show_record(const trikal_module* module, const trikal_record* record) {
  trikal_value value;
  for (size_t i = 0; record->described && i < trikal_value_count(module->id); ++i) {
    if (trikal_get_value(module->id, i, &value, sizeof value) != 0) continue;
    printf("%s\t%" PRId64 "\t%" PRIu64 "\t%s\t", module->name, record->rank, record->id, value.name);
    show_value(record, &value);
    printf("\n");
  }
}

/* What is done with a module's records: `show` prints values, otherwise sizes are added up. */
static int walk(trikal_log* log, const trikal_module* module, int show, trikal_error* error) {
  uint64_t count = 0, bytes = 0, items = 0;
  trikal_record record;
  int more;
  trikal_records* records = trikal_open_records(log, module->id, error);
  if (records == NULL) return failed(error);
  while ((more = trikal_next_record(records, &record, sizeof record, error)) == 1) {
    if (show && record.first_item == 0) show_record(module, &record);
    if (record.first_item == 0) ++count, bytes += record.size;
    items += record.items_size;
  }
  trikal_close_records(records);
  if (more < 0) return failed(error);
  if (!show) printf("%s\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\n", module->name, count, bytes, items);
  return 0;
}

static int records(trikal_log* log, int show, trikal_error* error) {
  trikal_module module;
  for (size_t i = 0; i < trikal_module_count(log); ++i) {
    int result;
    if (trikal_get_module(log, i, &module, sizeof module) != 0) return 2;
    if (module.readable && (result = walk(log, &module, show, error)) != 0) return result;
  }
  return 0;
}

static int tables(trikal_log* log) {
  trikal_table table;
  for (size_t i = 0; i < trikal_table_count(log); ++i) {
    if (trikal_get_table(log, i, &table, sizeof table) != 0) return 2;
    printf("%s\t%s\n", table.name, table.module);
  }
  return 0;
}

static int is_null(const struct ArrowArray* array, int64_t row) {
  const uint8_t* valid = (const uint8_t*)array->buffers[0];
  return valid != NULL && ((valid[row / 8] >> (row % 8)) & 1) == 0;
}

static void show_cells(const struct ArrowArray* array, char kind) {
  for (int64_t row = array->offset; row < array->offset + array->length; ++row) {
    if (is_null(array, row)) printf("null\n");
    else if (kind == 'l') printf("%" PRId64 "\n", ((const int64_t*)array->buffers[1])[row]);
    else if (kind == 'L') printf("%" PRIu64 "\n", ((const uint64_t*)array->buffers[1])[row]);
    else if (kind == 'g') printf("%.17g\n", ((const double*)array->buffers[1])[row]);
    else {
      const int32_t* ends = (const int32_t*)array->buffers[1];
      printf("%.*s\n", (int)(ends[row + 1] - ends[row]), (const char*)array->buffers[2] + ends[row]);
    }
  }
}

/* The stream is asked for its schema first, then for batches until one is released: the end. */
static int show_column(struct ArrowArrayStream* stream, const char* column) {
  struct ArrowSchema schema;
  struct ArrowArray batch;
  int64_t at = 0;
  if (stream->get_schema(stream, &schema) != 0) return 2;
  while (at < schema.n_children && strcmp(schema.children[at]->name, column) != 0) ++at;
  if (strcmp(schema.format, "+s") != 0 || at == schema.n_children) {
    schema.release(&schema);
    return 2;
  }
  printf("%s\t%d\n", schema.children[at]->format, (schema.children[at]->flags & ARROW_FLAG_NULLABLE) != 0);
  while (stream->get_next(stream, &batch) == 0 && batch.release != NULL) {
    show_cells(batch.children[at], schema.children[at]->format[0]);
    batch.release(&batch);
  }
  schema.release(&schema);
  return stream->get_last_error(stream) == NULL ? 0 : 2;
}

static int column(trikal_log* log, const char* table, const char* name, trikal_error* error) {
  struct ArrowArrayStream stream;
  int result;
  if (trikal_open_table(log, table, 0, 7, &stream, error) != 0) {
    trikal_close(log);
    return failed(error);
  }
  trikal_close(log); /* a stream stays valid */
  result = show_column(&stream, name);
  stream.release(&stream);
  return result;
}

static int salvage(trikal_log* log, trikal_error* error) {
  trikal_damage damage;
  const int result = records(log, 0, error);
  const size_t count = trikal_damage_count(log);
  for (size_t i = 0; i < count; ++i) {
    if (trikal_get_damage(log, i, &damage, sizeof damage) != 0) return 2;
    printf("damage\t%s\t%" PRIu64 "\t%" PRIu64 "\t%s\n", damage.part, damage.offset, damage.salvaged, damage.what);
  }
  return result;
}

static int run(int argc, char** argv, trikal_error* error) {
  trikal_options options = {0, 0, 0};
  trikal_log* log;
  int result = 2;
  if (argc < 3 || trikal_abi_version() != TRIKAL_ABI_VERSION) return 2;
  if (strcmp(argv[1], "salvage") == 0) options.flags = TRIKAL_SALVAGE;
  log = trikal_open(argv[2], &options, error);
  if (log == NULL) return failed(error);
  if (argc == 5 && strcmp(argv[1], "column") == 0) return column(log, argv[3], argv[4], error);
  if (strcmp(argv[1], "about") == 0) result = about(log, error);
  if (strcmp(argv[1], "records") == 0) result = records(log, 1, error);
  if (strcmp(argv[1], "sizes") == 0) result = records(log, 0, error);
  if (strcmp(argv[1], "tables") == 0) result = tables(log);
  if (strcmp(argv[1], "salvage") == 0) result = salvage(log, error);
  trikal_close(log);
  return result;
}

int main(int argc, char** argv) {
  trikal_error error;
  memset(&error, 0, sizeof error);
  return run(argc, argv, &error);
}
