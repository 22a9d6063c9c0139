#pragma once
// Reads the trailer behind a log's last region. Nothing in it is believed before its checksum was right, and
// nothing it claims decides how much memory is used. docs/formats/trailer.md describes the bytes.

#include <bit>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "log/layout.hpp"
#include "log/read/damage.hpp"
#include "log/read/source.hpp"
#include "log/trailer/format.hpp"

namespace trikal::log {

// A section as the directory describes it. schema() is a view of this object.
struct Section {
  std::string name, help;
  struct ColumnText {
    std::string name, unit, help;
    ColumnType type = ColumnType::kU64;
    friend bool operator==(const ColumnText&, const ColumnText&) = default;
  };
  std::vector<ColumnText> columns;
  Codec codec = Codec::kZlib;
  Extent stored;  // the stream it is in
  std::uint64_t plain_offset = 0, plain_bytes = 0;  // in the stream
  std::uint64_t rows = 0;
  std::uint32_t crc = 0;  // of the stream
  bool grouped = false;   // rows are as in version 2

  // The index of a column, or the number of columns.
  [[nodiscard]] std::size_t column(std::string_view column_name) const;
};

// One value of a row. Text lives until the next row.
struct Cell {
  ColumnType type = ColumnType::kU64;
  std::uint64_t word = 0;
  std::string_view text;

  [[nodiscard]] std::uint64_t u64() const { return word; }
  [[nodiscard]] std::int64_t i64() const { return static_cast<std::int64_t>(word); }
  [[nodiscard]] double f64() const { return std::bit_cast<double>(word); }
};

class SectionRows {
 public:
  virtual ~SectionRows() = default;
  // False behind the last row. `row` has a cell for every column.
  virtual Result<bool> next(std::span<const Cell>& row) = 0;
};

class Trailer {
 public:
  // Nothing: a log without a trailer, which is normal. An error: there is one, but it cannot be used.
  // `regions_end` is where the log's own bytes end, `command` the job's command line. The source must outlive this, and
  // so must the command line.
  static Result<std::optional<Trailer>> read(const Source& source, std::uint64_t regions_end, const Limits& limits,
                                             std::string_view command = {});

  [[nodiscard]] const std::vector<Section>& sections() const { return sections_; }
  [[nodiscard]] const Section* find(std::string_view name) const;
  [[nodiscard]] std::uint32_t header_crc() const { return header_crc_; }
  [[nodiscard]] Extent extent() const { return extent_; }

  // Checks the section's checksum first; an error if it is wrong.
  [[nodiscard]] Result<std::unique_ptr<SectionRows>> rows(const Section& section) const;

 private:
  Trailer(const Source& source, const Limits& limits) : source_(&source), limits_(limits) {}
  struct Footer;
  static Result<Footer> parse_footer(Bytes raw, std::uint64_t at, std::uint64_t regions_end);
  Status read_directory(const Footer& footer);
  Status expand_directory(const Footer& footer, std::vector<std::byte>& plain) const;

  const Source* source_;
  Limits limits_;
  std::string_view command_;
  std::vector<Section> sections_;
  Extent extent_;
  std::uint32_t header_crc_ = 0;
};

}  // namespace trikal::log
