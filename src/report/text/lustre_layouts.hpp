#pragma once
// The Lustre records of a log by file, for listings that tell which targets were used.

#include <unordered_map>
#include <vector>

#include "base/keyed_hash.hpp"
#include "log/read/reader.hpp"

namespace trikal::report {

class LustreLayouts {
 public:
  // Reads the module if the log has it. kLimit where the records are more than the reader's limit allows.
  Status load(log::Reader& reader);
  // The file's record; empty if there is none.
  [[nodiscard]] Bytes find(std::uint64_t id) const;

 private:
  struct Extent {
    std::size_t at, size;
  };
  std::unordered_map<std::uint64_t, Extent, KeyedHash> extents_;
  std::vector<std::byte> records_;
};

}  // namespace trikal::report
