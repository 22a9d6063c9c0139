#pragma once
// Sections of a trailer from a log being read into a log being written. Used by convert and merge.

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "log/read/reader.hpp"
#include "log/trailer/writer.hpp"

namespace trikal::log {

// Sections that describe the very file they are in; whoever writes a log makes them anew.
[[nodiscard]] bool describes_the_file(std::string_view section);

// What happens to each row, told by the units of the columns.
struct RowEdit {
  std::optional<std::uint64_t> record;  // rows about another record are left out
  double shift = 0;                     // timestamps that are not 0 move
  std::optional<std::int64_t> rank_shift;  // what is added to ranks; none: they stay
};

class SectionCopier {
 public:
  // With `text` false, columns of text and bytes are left out: nobody knows what they name.
  SectionCopier(TrailerWriter& trailer, bool text) : trailer_(trailer), text_(text) {}

  // False: nothing of the section can be kept. Its description must live until the log is finished, and does:
  // it is held here.
  Result<bool> begin(const Section& section);
  // The rows of a section with the columns of the one begun. `unreadable` is set where they end early.
  Status add(const Trailer& from, const Section& section, const RowEdit& edit, std::optional<Error>& unreadable);
  Status end() { return trailer_.end_section(); }

 private:
  struct Held {
    Section section;
    std::vector<Column> columns;
    std::vector<std::size_t> indexes;  // of those columns in the section
  };
  Status put_row(std::span<const Cell> row, const RowEdit& edit);

  TrailerWriter& trailer_;
  bool text_;
  std::deque<Held> held_;
};

}  // namespace trikal::log
