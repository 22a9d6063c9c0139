#pragma once
// A zlib stream of records that resemble each other: about as small as from zlib at level 6 in
// little more than half the time, or smaller in more.
//
// zlib looks for the longest match. Here few matches are looked at, those that records have (what stands in the same
// offset of the record before, runs of one byte, the last position that began alike), but the cheapest way through all of
// them is taken: a run of zeros costs a byte less than the same zeros of the record before.
// Runs inside applications: no heap; all memory is the caller's. docs/decisions/0019-record-deflate.md

#include "base/bytes.hpp"

namespace trikal::log {

struct RecordEffort {
  std::size_t stride = 0;  // the size of a record, 0 where they differ
  std::size_t positions = 1;  // earlier ones that are tried at each byte, up to 8
  std::size_t long_enough = 32;  // a match of this length is taken without looking further, up to 258
  std::size_t skipped = 258;  // within one of this length no other is looked for: much faster, and a little larger
};

inline constexpr std::size_t kRecordDeflateMemory = 448 * 1024;  // what is touched of it grows with what is packed

// No stream of so many bytes is longer; some more is written to.
[[nodiscard]] constexpr std::size_t record_deflate_bound(std::size_t plain) noexcept {
  return plain + 8 * (plain / 16384 + 2) + 24;
}

// Answers with the length of the stream in `out`, which has space for record_deflate_bound() bytes. `memory`:
// kRecordDeflateMemory bytes, aligned to 8.
[[nodiscard]] std::size_t record_deflate(Bytes plain, const RecordEffort& effort, MutableBytes out,
                                         MutableBytes memory) noexcept;

}  // namespace trikal::log
