#pragma once
// Which record is which file.

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "base/keyed_hash.hpp"

namespace trikal::log {

// Record ids to names, in order of first appearance. The first name that is not empty wins.
class NameTable {
 public:
  struct Entry {
    std::uint64_t id = 0;
    const char* at = nullptr;
    std::uint32_t length = 0;
  };

  // A name must be shorter than 4 GiB; see bytes_after for the number of names.
  void add(std::uint64_t id, std::string_view name);
  // No value: the log has no name record of that id. An empty name is a name.
  [[nodiscard]] const Entry* find(std::uint64_t id) const;
  [[nodiscard]] std::string_view text(const Entry& entry) const { return {entry.at, entry.length}; }
  [[nodiscard]] std::string_view name_of(std::uint64_t id, std::string_view otherwise) const {
    const Entry* entry = find(id);
    return entry != nullptr ? text(*entry) : otherwise;
  }
  [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }

  [[nodiscard]] std::uint64_t bytes() const;  // memory it takes
  // What bytes() can be after one more name of that length: ask before adding, where a limit is to hold. The
  // largest number there is once there are as many names as it can count.
  [[nodiscard]] std::uint64_t bytes_after(std::size_t name_bytes) const;

 private:
  void grow();
  const char* keep(std::string_view name);
  [[nodiscard]] std::size_t slot_for(std::uint64_t id) const;
  [[nodiscard]] std::size_t next_chunk(std::size_t name_bytes) const;  // size, 0 where none is needed

  KeyedHash hash_;
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> slots_;  // entry index + 1; 0 is free
  // Text lies in chunks that never move: growing copies nothing and never needs twice the memory.
  std::vector<std::unique_ptr<char[]>> chunks_;
  char* free_ = nullptr;
  std::size_t free_bytes_ = 0;
  std::uint64_t chunk_bytes_ = 0;
};

}  // namespace trikal::log
