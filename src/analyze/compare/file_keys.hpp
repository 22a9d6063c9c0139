#pragma once
// When are a file in A and a file in B the same one? By record id, or by name as far as names agree from the end.

#include <cstdint>
#include <unordered_map>

#include "base/keyed_hash.hpp"
#include "log/read/names.hpp"

namespace trikal::analyze {

enum class AlignBy : bool { kId, kName };

// What both sides call a file: the id it has in A.
class FileKeys {
 public:
  FileKeys() = default;  // by id
  // By name: equal names first; then names that end in the same path components, more of them before fewer, as
  // long as that is true of one file on each side only. Ids without a name are compared as they are.
  FileKeys(const log::NameTable& a, const log::NameTable& b);

  [[nodiscard]] std::uint64_t of_b(std::uint64_t id) const {
    const auto found = to_a_.find(id);
    return found != to_a_.end() ? found->second : id;
  }

 private:
  std::unordered_map<std::uint64_t, std::uint64_t, KeyedHash> to_a_;
};

// The last `count` components of a path; empty if it has fewer.
[[nodiscard]] std::string_view last_components(std::string_view path, std::size_t count);

}  // namespace trikal::analyze
