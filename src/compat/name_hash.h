#ifndef TRIKAL_COMPAT_NAME_HASH_ADD_H
#define TRIKAL_COMPAT_NAME_HASH_ADD_H
/* uthash is a header of macros for C; C++ reaches it through this. */

#include <stddef.h>
#include <stdint.h>

#include "trikal/compat/name-hash.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Adds a name unless its id is there already. -1: no memory, and the table is as it was. */
int trikal_name_hash_add(struct darshan_name_record_ref **table, uint64_t id, const char *name, size_t length);

#ifdef __cplusplus
}
#endif

#endif
