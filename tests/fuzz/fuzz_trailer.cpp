// A trailer behind a log, whole: found, checked, and every row of every section read. The mutator makes checksums
// right again most of the time, or nothing behind the first one would ever be reached.

#include <cstring>
#include <random>

#include "base/hash.hpp"
#include "log/trailer/reader.hpp"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace {

using namespace trikal;  // NOLINT: this file is the program
using Footer = log::FooterLayout;
using Entry = log::EntryLayout;

void must(bool holds) {
  if (!holds) __builtin_trap();
}

std::uint32_t sum(MutableBytes file, std::uint64_t offset, std::uint64_t length, std::uint64_t end) {
  if (offset > end || length > end - offset) return 0;
  return crc32c(Bytes{file}.subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(length)));
}

// Sections first, then the directory that holds their sums, then the footer that holds the directory's.
void mend_sums(MutableBytes file) {
  if (file.size() < Footer::kBytes) return;
  const std::size_t end = file.size() - Footer::kBytes;
  std::byte* footer = file.data() + end;
  std::memcpy(footer + Footer::kMarkAt, log::kTrailerEnd.data(), log::kTrailerEnd.size());
  store_le(footer + Footer::kFileBytesAt, std::uint64_t{file.size()});
  const auto directory = load_le<std::uint64_t>(footer + Footer::kDirectoryAt);
  if (directory > end) return;
  store_le(footer + Footer::kDirectoryBytesAt, std::uint64_t{end - directory});
  for (auto at = static_cast<std::size_t>(directory); end - at >= Entry::kBytes;) {
    std::byte* entry = file.data() + at;
    store_le(entry + Entry::kCrcAt, sum(file, load_le<std::uint64_t>(entry + Entry::kOffsetAt),
                                        load_le<std::uint64_t>(entry + Entry::kStoredAt), end));
    const auto length = load_le<std::uint32_t>(entry + Entry::kLengthAt);
    if (length < Entry::kBytes || length > end - at) break;
    at += length;
  }
  store_le(footer + Footer::kDirectoryCrcAt, sum(file, directory, end - directory, end));
  store_le(footer + Footer::kCrcAt, crc32c(Bytes{file}.subspan(end, Footer::kCrcAt)));
}

void read_rows(const log::Trailer& trailer, const log::Section& section) {
  auto rows = trailer.rows(section);
  if (!rows) return must(rows.error().what[0] != '\0');
  std::uint64_t count = 0;
  std::span<const log::Cell> row;
  for (;; ++count) {
    auto more = (*rows)->next(row);
    if (!more || !*more) {
      if (more) must(count == section.rows);
      return;
    }
    must(row.size() == section.columns.size());
    std::size_t characters = 0;
    for (const log::Cell& cell : row) {
      for (const char c : cell.text) characters += c == 'x' ? 1 : 0;
    }
    must(characters < SIZE_MAX);
  }
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
  size = LLVMFuzzerMutate(data, size, max_size);
  std::minstd_rand random(seed);
  if (random() % 8 != 0) mend_sums(std::as_writable_bytes(std::span(data, size)));
  return size;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Bytes file = std::as_bytes(std::span(data, size));
  const auto source = log::from_memory({file.begin(), file.end()});
  const auto trailer = log::Trailer::read(*source, 0, {.memory = 1 << 20, .expanded = 4 << 20}, "./program 1 2");
  if (!trailer || !*trailer) return 0;
  for (const log::Section& section : (*trailer)->sections()) {
    must((*trailer)->find(section.name) == &section);
    must(section.column(section.columns.front().name) == 0);
    read_rows(**trailer, section);
  }
  return 0;
}
