/* Without memory uthash ends the process, unless told otherwise before it is read. */
#define HASH_NONFATAL_OOM 1
#include "compat/name_hash.h"

#include <stdlib.h>
#include <string.h>

/* Called instead; the reference is then without a table. */
#undef uthash_nonfatal_oom
#define uthash_nonfatal_oom(obj) ((obj)->hlink.tbl = NULL)

int trikal_name_hash_add(struct darshan_name_record_ref **table, uint64_t id, const char *name, size_t length) {
  struct darshan_name_record_ref *ref = NULL;
  HASH_FIND(hlink, *table, &id, sizeof id, ref);
  if (ref != NULL) return 0;

  ref = calloc(1, sizeof *ref);
  struct darshan_name_record *record = calloc(1, sizeof *record + length);
  if (ref != NULL && record != NULL) {
    record->id = id;
    memcpy(record->name, name, length);
    ref->name_record = record;
    HASH_ADD_KEYPTR(hlink, *table, &record->id, sizeof record->id, ref);
    if (ref->hlink.tbl != NULL) return 0;
  }
  free(record);
  free(ref);
  return -1;
}
