#pragma once
// Where a log's bytes come from. Reads are positioned and may come from several threads at once.

#include <memory>
#include <string>
#include <vector>

#include "base/bytes.hpp"
#include "base/result.hpp"
#include "log/read/damage.hpp"

namespace trikal::log {

class Source {
 public:
  virtual ~Source() = default;
  // Fills as much of `out` as there is; less only at the end.
  virtual Result<std::size_t> read_at(std::uint64_t offset, MutableBytes out) const = 0;
  [[nodiscard]] virtual std::uint64_t size() const = 0;
};

// What has no size (a pipe, a device) is read to its end as by read_all.
[[nodiscard]] Result<std::unique_ptr<Source>> open_file(const std::string& path, std::uint64_t limit = Limits{}.memory);
// Standard input and other things that cannot be positioned, read to their end (at most `limit` bytes).
[[nodiscard]] Result<std::unique_ptr<Source>> read_all(int descriptor, std::uint64_t limit);
[[nodiscard]] std::unique_ptr<Source> from_memory(std::vector<std::byte> bytes);

}  // namespace trikal::log
