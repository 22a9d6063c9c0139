#pragma once
// Descriptions of sections and columns that trailers refer to by number instead of repeating them: they would be most of a
// small trailer. The list is docs/formats/trailer-lines.txt; a line is a kind, name, unit and help with tabs between. Lines
// are only ever added to it, behind the last one. Runs inside applications: one text without pointers into it, looked at
// only when a trailer is written.

#include <cstdint>
#include <string_view>

#include "log/trailer/format.hpp"

namespace trikal::log {

// Made by the build from that file.
extern const char kKnownLines[];
extern const std::size_t kKnownLineBytes;

[[nodiscard]] inline std::string_view known_lines() noexcept { return {kKnownLines, kKnownLineBytes}; }

// "section", or the type of a column.
[[nodiscard]] constexpr std::string_view line_kind(ColumnType type) noexcept {
  switch (type) {
    case ColumnType::kI64: return "i64";
    case ColumnType::kU64: return "u64";
    case ColumnType::kF64: return "f64";
    case ColumnType::kText: return "text";
    case ColumnType::kBytes: return "bytes";
  }
  return "";
}
inline constexpr std::string_view kSectionLine = "section";

struct KnownLine {
  std::string_view kind, name, unit, help;

  static KnownLine of(const SectionSchema& section) noexcept { return {kSectionLine, section.name, {}, section.help}; }
  static KnownLine of(const Column& column) noexcept {
    return {line_kind(column.type), column.name, column.unit, column.help};
  }
  // Takes the first line off the front of a list.
  static KnownLine take(std::string_view& list) noexcept;
  friend bool operator==(const KnownLine&, const KnownLine&) = default;
};

// Finds the numbers of lines. Those of a section come one behind the other, so the next one is looked at first.
class LineFinder {
 public:
  static constexpr std::size_t kUnknown = ~std::size_t{0};

  [[nodiscard]] std::size_t find(const KnownLine& line) noexcept;
  [[nodiscard]] std::size_t next() const noexcept { return next_; }

 private:
  std::size_t next_ = 0;
  std::string_view rest_ = known_lines();
};

}  // namespace trikal::log
