#ifndef TRIKAL_COMPAT_NAME_HASH_H
#define TRIKAL_COMPAT_NAME_HASH_H
/*
 * Tables of names, walked and searched with uthash's macros (handle member: hlink, key: the record id):
 *
 *   HASH_FIND(hlink, table, &id, sizeof(darshan_record_id), ref);
 *
 * Darshan is built with uthash 1.9.2, whose hash takes the bytes of a key as plain chars. Newer versions of uthash
 * take them as unsigned, and would look in the wrong bucket where chars are signed; hence a hash of our own, which
 * gives what 1.9.2 gives. It must be known before uthash.h is.
 */

#if defined(UTHASH_H) && !defined(HASH_FUNCTION)
#error "include this header before uthash.h"
#endif

#include <stddef.h>
#include <stdint.h>

#include "trikal/compat/darshan-records.h"

#ifdef __cplusplus
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast" /* the casts below are C's */
#endif

/* Three words stirred by Jenkins' reversible mix of 1997; the shifts are its constants. */
static inline void trikal_hash_mix(uint32_t w[3]) {
  static const int shifts[9] = {13, -8, 13, 12, -16, 5, 3, -10, 15};
  for (int i = 0; i < 9; ++i) {
    uint32_t* a = &w[i % 3];
    const uint32_t b = w[(i + 1) % 3];
    const uint32_t c = w[(i + 2) % 3];
    *a -= b;
    *a -= c;
    *a ^= shifts[i] > 0 ? c >> shifts[i] : c << -shifts[i];
  }
}

static inline uint32_t trikal_hash_chars(const char* at, size_t count) {
  uint32_t word = 0;
  for (size_t i = 0; i < count; ++i) word += (uint32_t)at[i] << (8 * i);
  return word;
}

static inline unsigned trikal_hash_key(const void* key, size_t length) {
  const char* at = (const char*)key;
  size_t left = length;
  uint32_t w[3] = {0x9e3779b9U, 0x9e3779b9U, 0xfeedbeefU};
  for (; left >= 12; left -= 12, at += 12) {
    for (int i = 0; i < 3; ++i) w[i] += trikal_hash_chars(at + 4 * i, 4);
    trikal_hash_mix(w);
  }
  w[2] += (uint32_t)length;
  w[0] += trikal_hash_chars(at, left < 4 ? left : 4);
  if (left > 4) w[1] += trikal_hash_chars(at + 4, left < 8 ? left - 4 : 4);
  if (left > 8) w[2] += trikal_hash_chars(at + 8, left - 8) << 8; /* its lowest byte holds the length */
  trikal_hash_mix(w);
  return w[2];
}

#ifdef __cplusplus
#pragma GCC diagnostic pop
#endif

#define HASH_FUNCTION(key, length, value) ((value) = trikal_hash_key((key), (length)))
#include <uthash.h>

struct darshan_name_record {
  darshan_record_id id;
  char name[1]; /* as long as it needs to be, with its NUL */
};

/* Both the reference and the record it points to are blocks from malloc. */
struct darshan_name_record_ref {
  struct darshan_name_record* name_record;
  UT_hash_handle hlink;
};

#endif
