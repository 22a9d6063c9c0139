#include "log/trailer/reader.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/hash.hpp"
#include "log/read/byte_reader.hpp"
#include "log/trailer/compact_directory.hpp"
#include "log/trailer/directory.hpp"
#include "log/trailer/group_rows.hpp"
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

bool is_codec(std::uint8_t codec) { return codec <= static_cast<std::uint8_t>(Codec::kNone); }

}  // namespace

struct Trailer::Footer {
  std::uint32_t version, sections, directory_crc, header_crc;
  std::uint64_t start;
  Extent directory;  // version 2: the stream it is in
  std::uint16_t skipped;
  Codec codec;
};

Result<Trailer::Footer> Trailer::parse_footer(Bytes raw, std::uint64_t at, std::uint64_t regions_end) {
  using At = FooterLayout;
  const std::byte* bytes = raw.data();
  if (load_le<std::uint32_t>(bytes + At::kCrcAt) != crc32c(raw.first(At::kCrcAt))) {
    return damaged("the checksum of the trailer's footer is wrong", at);
  }
  const auto version = load_le<std::uint32_t>(bytes + At::kVersionAt);
  const auto codec = load_le<std::uint8_t>(bytes + At::kCodecAt);
  if ((version != kTrailerVersion && version != kFirstTrailerVersion) || !is_codec(codec)) {
    return Error{
        .code = ErrorCode::kUnsupported, .offset = at, .what = "a trailer of a version this tool does not know"};
  }
  const Footer footer{
      version,
      load_le<std::uint32_t>(bytes + At::kSectionsAt),
      load_le<std::uint32_t>(bytes + At::kDirectoryCrcAt),
      load_le<std::uint32_t>(bytes + At::kHeaderCrcAt),
      load_le<std::uint64_t>(bytes + At::kStartAt),
      {load_le<std::uint64_t>(bytes + At::kDirectoryAt), load_le<std::uint64_t>(bytes + At::kDirectoryBytesAt)},
      load_le<std::uint16_t>(bytes + At::kSkippedAt),
      static_cast<Codec>(codec)};
  const Extent& directory = footer.directory;
  const bool sound = load_le<std::uint64_t>(bytes + At::kFileBytesAt) == at + At::kBytes &&
                     footer.start >= regions_end && footer.start <= at && at - footer.start >= kTrailerStart.size() &&
                     directory.offset >= footer.start + kTrailerStart.size() && directory.offset <= at &&
                     directory.length == at - directory.offset;
  if (!sound) return damaged("the trailer's footer contradicts the file", at);
  return footer;
}

std::size_t Section::column(std::string_view column_name) const {
  const auto found = std::ranges::find(columns, column_name, &ColumnText::name);
  return static_cast<std::size_t>(found - columns.begin());
}

Result<std::optional<Trailer>> Trailer::read(const Source& source, std::uint64_t regions_end, const Limits& limits,
                                             std::string_view command) {
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
  trailer.command_ = command;
  trailer.header_crc_ = footer->header_crc;
  trailer.extent_ = {footer->start, size - footer->start};
  const Status read = trailer.read_directory(*footer);
  if (!read) return read.error();
  return std::optional<Trailer>(std::move(trailer));
}

Status Trailer::read_directory(const Footer& footer) {
  const Extent& directory = footer.directory;
  if (directory.length > kDirectoryMax || directory.length > limits_.memory) {
    return Error{.code = ErrorCode::kLimit, .offset = directory.offset, .what = "the trailer's directory is too large"};
  }
  std::vector<std::byte> bytes(static_cast<std::size_t>(directory.length));
  auto got = source_->read_at(directory.offset, bytes);
  if (!got) return got.error();
  if (*got < bytes.size() || crc32c(bytes) != footer.directory_crc) {
    return damaged("the checksum of the trailer's directory is wrong", directory.offset);
  }
  const std::uint64_t first = extent_.offset + kTrailerStart.size();
  bool sound = false;
  if (footer.version == kFirstTrailerVersion) {
    sound = parse_directory(bytes, footer.sections, {first, directory.offset - first}, sections_);
  } else {
    const Status expanded = expand_directory(footer, bytes);
    if (!expanded) return expanded;
    const TrailerStreams streams{.space = {first, directory.offset + directory.length - first},
                                 .last = directory,
                                 .skipped = footer.skipped,
                                 .last_crc = footer.directory_crc,
                                 .codec = footer.codec};
    sound = parse_compact_directory(bytes, footer.sections, streams, sections_);
  }
  if (!sound) return damaged("the trailer's directory makes no sense", directory.offset);
  return {};
}

// The directory's own plain bytes, without those of the sections before it in its stream.
Status Trailer::expand_directory(const Footer& footer, std::vector<std::byte>& plain) const {
  constexpr std::uint64_t kMost = kDirectoryMax + kStreamPlainBytes + Block::kCapacity;
  ByteReader bytes(open_region(*source_, footer.directory, footer.codec,
                               {limits_.memory, std::min<std::uint64_t>(limits_.expanded, kMost)}));
  plain.clear();
  std::uint64_t skip = footer.skipped;
  for (;;) {
    auto piece = bytes.peek();
    if (!piece) return piece.error();
    if (piece->empty()) break;
    const auto front = static_cast<std::size_t>(std::min<std::uint64_t>(skip, piece->size()));
    skip -= front;
    plain.insert(plain.end(), piece->begin() + static_cast<std::ptrdiff_t>(front), piece->end());
    if (plain.size() > kDirectoryMax) {
      return Error{
          .code = ErrorCode::kLimit, .offset = footer.directory.offset, .what = "the trailer's directory is too large"};
    }
    bytes.skip(piece->size());
  }
  if (skip > 0) return damaged("the trailer's footer contradicts its directory", footer.directory.offset);
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
  return section.grouped ? open_group_rows(*source_, section, limits_, command_)
                         : open_rows(*source_, section, limits_);
}

}  // namespace trikal::log
