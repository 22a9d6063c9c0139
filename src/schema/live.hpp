#pragma once
// Records that take another shape in a log than in the memory of the process that fills them.

#include <cstddef>
#include <cstdint>

namespace trikal {

struct LiveForm {
  std::uint32_t bytes = 0;  // of one live record; the log's is never larger
  // Adds the second of two live records with one id to the first: threads fill records of their own.
  void (*join)(std::byte* into, const std::byte* from) = nullptr;
  // Makes it the log's, in place. `end` is how many seconds the process lived. Returns its size; 0: nothing to write.
  std::size_t (*pack)(std::byte* record, double end) = nullptr;
};

}  // namespace trikal
