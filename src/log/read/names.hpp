#pragma once
// Which record is which file.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace trikal::log {

// Record ids to names, in order of first appearance. The first name that is not empty wins.
class NameTable {
 public:
  struct Entry {
    std::uint64_t id = 0;
    std::uint64_t at = 0;
    std::uint32_t length = 0;
  };

  void add(std::uint64_t id, std::string_view name);
  // No value: the log has no name record of that id. An empty name is a name.
  [[nodiscard]] const Entry* find(std::uint64_t id) const;
  [[nodiscard]] std::string_view text(const Entry& entry) const { return {text_.data() + entry.at, entry.length}; }
  [[nodiscard]] std::string_view name_of(std::uint64_t id, std::string_view otherwise) const {
    const Entry* entry = find(id);
    return entry != nullptr ? text(*entry) : otherwise;
  }
  [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }
  [[nodiscard]] std::uint64_t bytes() const;  // memory it takes

 private:
  void grow();
  [[nodiscard]] std::size_t slot_for(std::uint64_t id) const;

  std::vector<Entry> entries_;
  std::vector<std::uint32_t> slots_;  // entry index + 1; 0 is free
  std::string text_;
};

}  // namespace trikal::log
