#include "log/trailer/reader.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/hash.hpp"
#include "log/trailer/directory.hpp"
#include "log/trailer/rows.hpp"

namespace trikal::log {
namespace {

Error damaged(const char* what, std::uint64_t offset) {
  return {.code = ErrorCode::kDamaged, .offset = offset, .what = what};
}

bool has_mark(Bytes bytes, const TrailerMark& mark) {
  return bytes.size() >= mark.size() && std::memcmp(bytes.data(), mark.data(), mark.size()) == 0;
}

Result<bool> starts_at(const Source& source, std::uint64_t offset) {
  std::array<std::byte, kTrailerStart.size()> begin{};
  auto got = source.read_at(offset, begin);
  if (!got) return got.error();
  return has_mark(Bytes{begin}.first(*got), kTrailerStart);
}

// The footer is not there: was there ever a trailer?
Result<std::optional<Trailer>> without_footer(const Source& source, std::uint64_t regions_end) {
  auto started = starts_at(source, regions_end);
  if (!started) return started.error();
  if (*started) return damaged("the trailer has lost its end", regions_end);
  return std::optional<Trailer>{};
}

struct Footer {
  std::uint32_t sections, directory_crc, header_crc;
  std::uint64_t start;
  Extent directory;
};

Result<Footer> parse_footer(Bytes raw, std::uint64_t at, std::uint64_t regions_end) {
  using At = FooterLayout;
  const std::byte* bytes = raw.data();
  if (load_le<std::uint32_t>(bytes + At::kCrcAt) != crc32c(raw.first(At::kCrcAt))) {
    return damaged("the checksum of the trailer's footer is wrong", at);
  }
  if (load_le<std::uint32_t>(bytes + At::kVersionAt) != kTrailerVersion) {
    return Error{
        .code = ErrorCode::kUnsupported, .offset = at, .what = "a trailer of a version this tool does not know"};
  }
  const Footer footer{
      load_le<std::uint32_t>(bytes + At::kSectionsAt),
      load_le<std::uint32_t>(bytes + At::kDirectoryCrcAt),
      load_le<std::uint32_t>(bytes + At::kHeaderCrcAt),
      load_le<std::uint64_t>(bytes + At::kStartAt),
      {load_le<std::uint64_t>(bytes + At::kDirectoryAt), load_le<std::uint64_t>(bytes + At::kDirectoryBytesAt)}};
  const Extent& directory = footer.directory;
  const bool sound = load_le<std::uint64_t>(bytes + At::kFileBytesAt) == at + At::kBytes &&
                     footer.start >= regions_end && footer.start <= at && at - footer.start >= kTrailerStart.size() &&
                     directory.offset >= footer.start + kTrailerStart.size() && directory.offset <= at &&
                     directory.length == at - directory.offset;
  if (!sound) return damaged("the trailer's footer contradicts the file", at);
  return footer;
}

}  // namespace

std::size_t Section::column(std::string_view column_name) const {
  const auto found = std::ranges::find(columns, column_name, &ColumnText::name);
  return static_cast<std::size_t>(found - columns.begin());
}

Result<std::optional<Trailer>> Trailer::read(const Source& source, std::uint64_t regions_end, const Limits& limits) {
  using At = FooterLayout;
  const std::uint64_t size = source.size();
  if (size < regions_end || size - regions_end < At::kBytes) return without_footer(source, regions_end);
  std::array<std::byte, At::kBytes> raw{};
  auto got = source.read_at(size - At::kBytes, raw);
  if (!got) return got.error();
  if (*got < raw.size() || !has_mark(raw, kTrailerEnd)) return without_footer(source, regions_end);
  auto footer = parse_footer(raw, size - At::kBytes, regions_end);
  if (!footer) return footer.error();
  auto started = starts_at(source, footer->start);
  if (!started) return started.error();
  if (!*started) return damaged("the trailer has lost its beginning", footer->start);

  Trailer trailer(source, limits);
  trailer.header_crc_ = footer->header_crc;
  trailer.extent_ = {footer->start, size - footer->start};
  const Status read = trailer.read_directory(footer->sections, footer->directory, footer->directory_crc);
  if (!read) return read.error();
  return std::optional<Trailer>(std::move(trailer));
}

Status Trailer::read_directory(std::uint64_t sections, Extent directory, std::uint32_t crc) {
  if (directory.length > kDirectoryMax || directory.length > limits_.memory) {
    return Error{.code = ErrorCode::kLimit, .offset = directory.offset, .what = "the trailer's directory is too large"};
  }
  std::vector<std::byte> bytes(static_cast<std::size_t>(directory.length));
  auto got = source_->read_at(directory.offset, bytes);
  if (!got) return got.error();
  if (*got < bytes.size() || crc32c(bytes) != crc) {
    return damaged("the checksum of the trailer's directory is wrong", directory.offset);
  }
  const Extent space{extent_.offset + kTrailerStart.size(), directory.offset - extent_.offset - kTrailerStart.size()};
  if (!parse_directory(bytes, sections, space, sections_)) {
    return damaged("the trailer's directory makes no sense", directory.offset);
  }
  return {};
}

const Section* Trailer::find(std::string_view name) const {
  const auto found = std::ranges::find(sections_, name, &Section::name);
  return found == sections_.end() ? nullptr : &*found;
}

Result<std::unique_ptr<SectionRows>> Trailer::rows(const Section& section) const {
  std::array<std::byte, 64 * 1024> chunk;  // NOLINT: filled before it is looked at
  std::uint32_t crc = 0;
  for (std::uint64_t done = 0; done < section.stored.length;) {
    const auto want = static_cast<std::size_t>(std::min<std::uint64_t>(chunk.size(), section.stored.length - done));
    auto got = source_->read_at(section.stored.offset + done, MutableBytes{chunk}.first(want));
    if (!got) return got.error();
    if (*got == 0) break;
    crc = crc32c(Bytes{chunk}.first(*got), crc);
    done += *got;
  }
  if (crc != section.crc) return damaged("the checksum of a trailer's section is wrong", section.stored.offset);
  return open_rows(*source_, section, limits_);
}

}  // namespace trikal::log
