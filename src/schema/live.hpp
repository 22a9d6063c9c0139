#pragma once
// Records that take another shape in a log than in the memory of the process that fills them.

#include <cstddef>
#include <cstdint>

namespace trikal {

struct LiveForm {
  std::uint32_t bytes = 0;  // of one live record; the log's is never larger
  // Adds the second of two live records with one id to the first: threads fill records of their own.
  void (*join)(std::byte* into, const std::byte* from) = nullptr;
  // Makes it the log's. `end` is how many seconds the process lived. Returns its size; 0: nothing to write.
  std::size_t (*pack)(std::byte* record, double end) = nullptr;
};

// A run of accesses that are all alike is counted in a slot of its own, and added to the record when it ends. Where a
// module does that, each of its runs begins with this.
struct RunHead {
  std::uint64_t id = 0;  // of the record
  std::int64_t count = 0;  // accesses that the record may not know of
};
struct RunForm {
  std::uint32_t bytes = 0;  // of one run
  // Adds to the live record what it does not have yet. A process may be killed while it does that itself, so doing it
  // again changes nothing.
  void (*settle)(std::byte* record, const std::byte* run) = nullptr;
};

}  // namespace trikal
