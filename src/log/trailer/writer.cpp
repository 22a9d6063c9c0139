#include "log/trailer/writer.hpp"

#include <bit>

#include "base/hash.hpp"

namespace trikal::log {
namespace {

Error misuse(const char* what) { return {.code = ErrorCode::kUsage, .what = what}; }

Bytes bytes_of(std::string_view text) { return std::as_bytes(std::span{text.data(), text.size()}); }

std::size_t text_bytes(std::string_view text) { return 2 + text.size(); }

std::size_t entry_bytes(const SectionSchema& schema) {
  std::size_t bytes = EntryLayout::kBytes + text_bytes(schema.name) + text_bytes(schema.help);
  for (const Column& column : schema.columns) {
    bytes += 1 + text_bytes(column.name) + text_bytes(column.unit) + text_bytes(column.help);
  }
  return bytes;
}

bool describable(const SectionSchema& schema) {
  const auto fits = [](std::string_view text) { return text.size() <= kDirectoryTextMax; };
  if (schema.name.empty() || schema.columns.empty() || schema.columns.size() > 0xffff) return false;
  if (!fits(schema.name) || !fits(schema.help)) return false;
  for (const Column& column : schema.columns) {
    if (!fits(column.name) || !fits(column.unit) || !fits(column.help)) return false;
  }
  return true;
}

Status put_directory_text(Output& output, std::string_view text) {
  std::byte length[2];
  store_le(length, static_cast<std::uint16_t>(text.size()));
  const Status done = output.append(length);
  return done ? output.append(bytes_of(text)) : done;
}

}  // namespace

Status TrailerWriter::begin(Output& output, Packer& packer) {
  output_ = &output, packer_ = &packer;
  start_ = output.offset();
  return output.append(std::as_bytes(std::span{kTrailerStart}));
}

Status TrailerWriter::begin_section(const SectionSchema& schema) {
  if (!begun() || in_section_) return misuse("a section begins where none may");
  if (!describable(schema)) return misuse("a section's schema has no name, no columns or too long a text");
  if (count_ == kMaxSections) return Error{.code = ErrorCode::kLimit, .what = "too many sections in a trailer"};
  for (std::size_t i = 0; i < count_; ++i) {
    if (entries_[i].schema.name == schema.name) return misuse("two sections of one name");
  }
  entries_[count_] = {.schema = schema, .offset = output_->offset()};
  in_section_ = true, column_ = 0;
  output_->start_checksum();
  return packer_->begin();
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
  if (!fits) return fits;
  std::byte bytes[8];
  store_le(bytes, word);
  return packer_->append(bytes);
}

Status TrailerWriter::put_string(ColumnType type, Bytes value) {
  const Status fits = next_column(type);
  if (!fits) return fits;
  if (value.size() > 0xffffffff) return misuse("a text is too long");
  std::byte length[4];
  store_le(length, static_cast<std::uint32_t>(value.size()));
  const Status done = packer_->append(length);
  return done ? packer_->append(value) : done;
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
  const Status ended = packer_->end();
  if (!ended) return ended;
  Entry& entry = entries_[count_++];
  entry.plain = packer_->plain_bytes();
  entry.stored = output_->offset() - entry.offset;
  entry.crc = output_->checksum();
  return {};
}

Status TrailerWriter::put_entry(const Entry& entry) {
  using At = EntryLayout;
  std::byte fixed[At::kBytes] = {};
  store_le(fixed + At::kLengthAt, static_cast<std::uint32_t>(entry_bytes(entry.schema)));
  store_le(fixed + At::kCodecAt, static_cast<std::uint8_t>(packer_->codec()));
  store_le(fixed + At::kColumnsAt, static_cast<std::uint16_t>(entry.schema.columns.size()));
  store_le(fixed + At::kCrcAt, entry.crc);
  store_le(fixed + At::kOffsetAt, entry.offset);
  store_le(fixed + At::kStoredAt, entry.stored);
  store_le(fixed + At::kPlainAt, entry.plain);
  store_le(fixed + At::kRowsAt, entry.rows);
  Status done = output_->append(fixed);
  if (done) done = put_directory_text(*output_, entry.schema.name);
  if (done) done = put_directory_text(*output_, entry.schema.help);
  for (const Column& column : entry.schema.columns) {
    const std::byte type{static_cast<std::uint8_t>(column.type)};
    if (done) done = output_->append({&type, 1});
    if (done) done = put_directory_text(*output_, column.name);
    if (done) done = put_directory_text(*output_, column.unit);
    if (done) done = put_directory_text(*output_, column.help);
  }
  return done;
}

Status TrailerWriter::finish(std::uint32_t header_crc) {
  if (in_section_) return misuse("the log is finished inside a section");
  const std::uint64_t directory = output_->offset();
  output_->start_checksum();
  for (std::size_t i = 0; i < count_; ++i) {
    const Status done = put_entry(entries_[i]);
    if (!done) return done;
  }
  return put_footer(directory, output_->checksum(), header_crc);
}

Status TrailerWriter::put_footer(std::uint64_t directory, std::uint32_t directory_crc, std::uint32_t header_crc) {
  using At = FooterLayout;
  const std::uint64_t here = output_->offset();
  std::byte footer[At::kBytes] = {};
  std::memcpy(footer + At::kMarkAt, kTrailerEnd.data(), kTrailerEnd.size());
  store_le(footer + At::kVersionAt, kTrailerVersion);
  store_le(footer + At::kSectionsAt, static_cast<std::uint32_t>(count_));
  store_le(footer + At::kStartAt, start_);
  store_le(footer + At::kDirectoryAt, directory);
  store_le(footer + At::kDirectoryBytesAt, here - directory);
  store_le(footer + At::kDirectoryCrcAt, directory_crc);
  store_le(footer + At::kHeaderCrcAt, header_crc);
  store_le(footer + At::kFileBytesAt, here + At::kBytes);
  store_le(footer + At::kCrcAt, crc32c(Bytes{footer}.first(At::kCrcAt)));
  return output_->append(footer);
}

}  // namespace trikal::log
