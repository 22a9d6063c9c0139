#include "log/trailer/writer.hpp"

#include <bit>

#include "base/hash.hpp"
#include "log/trailer/known_lines.hpp"
#include "log/trailer/varint.hpp"

namespace trikal::log {
namespace {

Error misuse(const char* what) { return {.code = ErrorCode::kUsage, .what = what}; }

Bytes bytes_of(std::string_view text) { return std::as_bytes(std::span{text.data(), text.size()}); }

bool describable(const SectionSchema& schema) {
  const auto fits = [](std::string_view text) { return text.size() <= kDirectoryTextMax; };
  if (schema.name.empty() || schema.columns.empty() || schema.columns.size() > 0xffff) return false;
  if (!fits(schema.name) || !fits(schema.help)) return false;
  for (const Column& column : schema.columns) {
    if (!fits(column.name) || !fits(column.unit) || !fits(column.help)) return false;
  }
  return true;
}

// The directory on its way into a stream.
class DirectoryBytes {
 public:
  explicit DirectoryBytes(Packer& packer) : packer_(packer) {}

  void number(std::uint64_t value) {
    std::byte bytes[kVarintBytes];
    append({bytes, put_varint(bytes, value)});
  }
  void checksum(std::uint32_t value) {
    std::byte bytes[4];
    store_le(bytes, value);
    append(bytes);
  }
  // A section, or one of its columns: by number where the description is a known one.
  void line(const KnownLine& line, ColumnType type) {
    const std::size_t next = lines_.next(), known = lines_.find(line);
    if (known != LineFinder::kUnknown) return number(known == next ? kNextLine : kFirstLine + known);
    number(kNewLine);
    number(static_cast<std::uint64_t>(type));
    text(line.name), text(line.unit), text(line.help);
  }
  [[nodiscard]] const Status& status() const { return status_; }

 private:
  void append(Bytes bytes) {
    if (status_.ok()) status_ = packer_.append(bytes);
  }
  void text(std::string_view text) {
    number(text.size());
    append(bytes_of(text));
  }

  Packer& packer_;
  LineFinder lines_;
  Status status_;
};

}  // namespace

Status TrailerWriter::begin(Output& output, Packer& packer, MutableBytes rows, std::string_view command) {
  output_ = &output, packer_ = &packer, command_ = command;
  group_.attach(rows);
  start_ = output.offset();
  return output.append(std::as_bytes(std::span{kTrailerStart}));
}

Status TrailerWriter::begin_stream() {
  stream_start_ = output_->offset();
  output_->start_checksum();
  return packer_->begin();
}

Status TrailerWriter::end_stream() {
  const Status ended = packer_->end();
  streams_[stream_count_++] = {output_->offset() - stream_start_, packer_->plain_bytes(), output_->checksum()};
  return ended;
}

Status TrailerWriter::begin_section(const SectionSchema& schema) {
  if (!begun() || in_section_) return misuse("a section begins where none may");
  if (!describable(schema)) return misuse("a section's schema has no name, no columns or too long a text");
  if (count_ == kMaxSections) return Error{.code = ErrorCode::kLimit, .what = "too many sections in a trailer"};
  for (std::size_t i = 0; i < count_; ++i) {
    if (entries_[i].schema.name == schema.name) return misuse("two sections of one name");
  }
  const Status ready = packer_->open() ? Status{} : begin_stream();
  entries_[count_] = {.schema = schema, .begin = packer_->plain_bytes(), .stream = stream_count_};
  group_.begin(schema.columns, *packer_, command_);
  in_section_ = true, column_ = 0;
  return ready;
}

Status TrailerWriter::next_column(ColumnType type) {
  if (!in_section_) return misuse("a value outside of a section");
  Entry& entry = entries_[count_];
  if (entry.schema.columns[column_].type != type) return misuse("a value of another type than its column");
  if (column_ == 0) ++entry.rows;
  column_ = (column_ + 1) % entry.schema.columns.size();
  return {};
}

Status TrailerWriter::put_word(ColumnType type, std::uint64_t word) {
  const Status fits = next_column(type);
  return fits ? group_.put_word(word) : fits;
}

Status TrailerWriter::put_string(ColumnType type, Bytes value) {
  const Status fits = next_column(type);
  if (!fits) return fits;
  if (value.size() > 0xffffffff) return misuse("a text is too long");
  return group_.put_text(type, value);
}

Status TrailerWriter::put_i64(std::int64_t value) {
  return put_word(ColumnType::kI64, static_cast<std::uint64_t>(value));
}
Status TrailerWriter::put_u64(std::uint64_t value) { return put_word(ColumnType::kU64, value); }
Status TrailerWriter::put_f64(double value) { return put_word(ColumnType::kF64, std::bit_cast<std::uint64_t>(value)); }
Status TrailerWriter::put_text(std::string_view value) { return put_string(ColumnType::kText, bytes_of(value)); }
Status TrailerWriter::put_bytes(Bytes value) { return put_string(ColumnType::kBytes, value); }

Status TrailerWriter::end_section() {
  if (!in_section_ || column_ != 0) return misuse("a section ends inside a row");
  in_section_ = false;
  const Status ended = group_.end();
  if (!ended) return ended;
  Entry& entry = entries_[count_++];
  entry.plain = packer_->plain_bytes() - entry.begin;
  return packer_->plain_bytes() < kStreamPlainBytes ? Status{} : end_stream();
}

Status TrailerWriter::put_directory() {
  DirectoryBytes out(*packer_);
  out.number(stream_count_);
  for (const Stream& stream : std::span(streams_).first(stream_count_)) {
    out.number(stream.stored), out.number(stream.plain), out.checksum(stream.crc);
  }
  for (const Entry& entry : std::span(entries_).first(count_)) {
    out.line(KnownLine::of(entry.schema), ColumnType::kText);
    out.number(entry.schema.columns.size());
    for (const Column& column : entry.schema.columns) out.line(KnownLine::of(column), column.type);
    out.number(entry.stream), out.number(entry.plain), out.number(entry.rows);
    out.number(0);  // bytes of this entry that newer writers put here
  }
  return out.status();
}

Status TrailerWriter::finish(std::uint32_t header_crc) {
  if (in_section_) return misuse("the log is finished inside a section");
  Status done = packer_->open() ? Status{} : begin_stream();
  const std::uint64_t skipped = packer_->plain_bytes();
  if (done) done = put_directory();
  if (done) done = end_stream();
  return done ? put_footer(streams_[stream_count_ - 1], skipped, header_crc) : done;
}

Status TrailerWriter::put_footer(const Stream& directory, std::uint64_t skipped, std::uint32_t header_crc) {
  using At = FooterLayout;
  const std::uint64_t here = output_->offset();
  std::byte footer[At::kBytes] = {};
  std::memcpy(footer + At::kMarkAt, kTrailerEnd.data(), kTrailerEnd.size());
  store_le(footer + At::kVersionAt, kTrailerVersion);
  store_le(footer + At::kSectionsAt, static_cast<std::uint32_t>(count_));
  store_le(footer + At::kStartAt, start_);
  store_le(footer + At::kDirectoryAt, stream_start_);
  store_le(footer + At::kDirectoryBytesAt, directory.stored);
  store_le(footer + At::kDirectoryCrcAt, directory.crc);
  store_le(footer + At::kHeaderCrcAt, header_crc);
  store_le(footer + At::kFileBytesAt, here + At::kBytes);
  store_le(footer + At::kSkippedAt, static_cast<std::uint16_t>(skipped));
  store_le(footer + At::kCodecAt, static_cast<std::uint8_t>(packer_->codec()));
  store_le(footer + At::kCrcAt, crc32c(Bytes{footer}.first(At::kCrcAt)));
  return output_->append(footer);
}

}  // namespace trikal::log
