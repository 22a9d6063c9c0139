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
#include "log/trailer/row_group.hpp"
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
    std::uint64_t begin = 0, plain = 0, rows = 0;  // in its stream; bytes
    std::size_t stream = 0;
  };
  struct Stream {
    std::uint64_t stored = 0, plain = 0;
    std::uint32_t crc = 0;
  };

  // By the log's writer, around all sections. `rows` is memory to hold rows in, `command` the job's command line.
  Status begin(Output& output, Packer& packer, MutableBytes rows, std::string_view command);
  Status finish(std::uint32_t header_crc);
  [[nodiscard]] bool begun() const { return output_ != nullptr; }

  Status next_column(ColumnType type);
  Status put_word(ColumnType type, std::uint64_t word);
  Status put_string(ColumnType type, Bytes value);
  Status begin_stream();
  Status end_stream();
  Status put_directory();
  Status put_footer(const Stream& directory, std::uint64_t skipped, std::uint32_t header_crc);

  Output* output_ = nullptr;
  Packer* packer_ = nullptr;
  std::string_view command_;
  RowGroup group_;
  std::uint64_t start_ = 0, stream_start_ = 0;
  std::array<Entry, kMaxSections> entries_{};
  std::array<Stream, kMaxSections + 1> streams_{};
  std::size_t count_ = 0, stream_count_ = 0;
  bool in_section_ = false;
  std::size_t column_ = 0;
};

}  // namespace trikal::log
