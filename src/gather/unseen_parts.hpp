#pragma once
// What was not seen of a job and what no process of it could note: rows of the section "unseen".

#include <cstdint>
#include <list>
#include <span>
#include <string>
#include <vector>

#include "gather/maps.hpp"
#include "log/crash/notes.hpp"

namespace trikal::gather {

class UnseenParts {
 public:
  // `lost`: processes that found no space for a map.
  UnseenParts(std::span<const MapFile* const> maps, std::uint64_t lost);

  [[nodiscard]] std::span<const log::crash::UnseenRow> rows() const { return rows_; }

 private:
  void add_excluded(std::span<const MapFile* const> maps);
  void add_linked_in(std::span<const MapFile* const> maps);

  std::vector<log::crash::UnseenRow> rows_;
  std::list<std::string> texts_;  // what rows point to
};

}  // namespace trikal::gather
