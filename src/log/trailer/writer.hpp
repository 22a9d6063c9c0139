#pragma once
// Writes the trailer, section by section, row by row. Runs inside applications: no heap, no exceptions.
//
//   trailer.begin_section(kSchema);  trailer.put_u64(1); trailer.put_text("x"); ...  trailer.end_section();
//
// Values come in the order of the columns; the last column ends the row. Views in a schema must live until
// the log is finished.

#include <array>
#include <cstdint>
#include <string_view>

#include "base/bytes.hpp"
#include "base/result.hpp"
#include "log/trailer/format.hpp"
#include "log/write/output.hpp"

namespace trikal::log {

class TrailerWriter {
 public:
  static constexpr std::size_t kMaxSections = 32;

  Status begin_section(const SectionSchema& schema);
  Status put_i64(std::int64_t value);
  Status put_u64(std::uint64_t value);
  Status put_f64(double value);
  Status put_text(std::string_view value);
  Status put_bytes(Bytes value);
  Status end_section();

 private:
  friend class Writer;

  struct Entry {
    SectionSchema schema;
    std::uint64_t offset = 0, stored = 0, plain = 0, rows = 0;
    std::uint32_t crc = 0;
  };

  // By the log's writer, around all sections. `file_bytes` of the footer are counted from here.
  Status begin(Output& output, Packer& packer);
  Status finish(std::uint32_t header_crc);
  [[nodiscard]] bool begun() const { return output_ != nullptr; }

  Status next_column(ColumnType type);
  Status put_word(ColumnType type, std::uint64_t word);
  Status put_string(ColumnType type, Bytes value);
  Status put_entry(const Entry& entry);
  Status put_footer(std::uint64_t directory, std::uint32_t directory_crc, std::uint32_t header_crc);

  Output* output_ = nullptr;
  Packer* packer_ = nullptr;
  std::uint64_t start_ = 0;
  std::array<Entry, kMaxSections> entries_{};
  std::size_t count_ = 0;
  bool in_section_ = false;
  std::size_t column_ = 0;
};

}  // namespace trikal::log
