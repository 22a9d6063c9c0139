#include "log/read/header.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <string_view>

namespace trikal::log {
namespace {

constexpr std::size_t kGuessBytes = 32;

class Fields {
 public:
  Fields(const std::byte* at, bool foreign) : at_(at), foreign_(foreign) {}
  [[nodiscard]] std::uint32_t u32(std::size_t offset) const {
    const auto value = load<std::uint32_t>(at_ + offset);
    return foreign_ ? byteswap(value) : value;
  }
  [[nodiscard]] std::uint64_t u64(std::size_t offset) const {
    const auto value = load<std::uint64_t>(at_ + offset);
    return foreign_ ? byteswap(value) : value;
  }
  [[nodiscard]] Extent extent(std::size_t offset) const { return {u64(offset), u64(offset + 8)}; }

 private:
  const std::byte* at_;
  bool foreign_;
};

Error not_a_log(const char* what, std::uint64_t offset = 0) {
  return {.code = ErrorCode::kNotALog, .offset = offset, .what = what};
}

// Logs of Darshan 1.x and 2.x are one gzip or bzip2 file; other files get their own sentence.
Error refuse(Bytes start) {
  const auto begins = [&](std::string_view text) {
    return start.size() >= text.size() && std::memcmp(start.data(), text.data(), text.size()) == 0;
  };
  if (start.empty()) return not_a_log("the file is empty");
  if (begins("\x1f\x8b") || begins("BZh")) {
    return {.code = ErrorCode::kUnsupported,
            .offset = 0,
            .what = "a compressed file: a log of Darshan 1.x or 2.x, which no 3.x tool reads, or no log at all"};
  }
  if (std::all_of(start.begin(), start.end(), [](std::byte b) { return b == std::byte{0}; })) {
    return not_a_log("the header is all zero: the run ended before its log was complete");
  }
  return not_a_log("not a Darshan log: the magic number is missing", NewHeader::kMagicAt);
}

Result<int> parse_minor(const std::byte* at) {
  const auto* text = reinterpret_cast<const char*>(at);
  const char* end = text + kVersionText;
  int major = 0;
  int minor = 0;
  const auto [dot, major_error] = std::from_chars(text, end, major);
  if (major_error != std::errc{} || dot == end || *dot != '.') return not_a_log("the log version is unreadable");
  const auto [rest, minor_error] = std::from_chars(dot + 1, end, minor);
  if (minor_error != std::errc{}) return not_a_log("the log version is unreadable");
  if (major != kMajor || std::ranges::find(kKnownMinors, minor) == kKnownMinors.end()) {
    return Error{.code = ErrorCode::kUnsupported,
                 .offset = 0,
                 .what = "a log version this tool does not know (it reads 3.00, 3.10, 3.20, 3.21 and 3.41)"};
  }
  return minor;
}

template <class Layout>
void read_maps(Header& header, const Fields& fields) {
  header.bytes = Layout::kBytes;
  header.names = fields.extent(Layout::kNamesAt);
  for (std::size_t i = 0; i < Layout::kModules; ++i) {
    header.modules[i] = fields.extent(Layout::kMapAt + 16 * i);
    header.module_versions[i] = fields.u32(Layout::kVersionsAt + 4 * i);
  }
}

// Gives a module that came later its empty slot, moving the others up.
void insert_module(Header& header, std::size_t index) {
  std::shift_right(header.modules.begin() + static_cast<std::ptrdiff_t>(index), header.modules.end(), 1);
  std::shift_right(header.module_versions.begin() + static_cast<std::ptrdiff_t>(index), header.module_versions.end(),
                   1);
  header.modules[index] = {};
  header.module_versions[index] = 0;
  const std::uint64_t below = (std::uint64_t{1} << index) - 1;
  header.partial = (header.partial & below) | ((header.partial & ~below) << 1);
}

// The job region is in no map: it reaches from the header to whatever comes first.
void find_job(Header& header, std::uint64_t file_size) {
  std::uint64_t end = header.names.offset;
  for (std::size_t i = 0; end == 0 && i < header.modules.size(); ++i) end = header.modules[i].offset;
  if (end == 0) end = file_size;
  header.job = {header.bytes, end > header.bytes ? end - header.bytes : 0};
}

bool inside(const Extent& extent, const Header& header, std::uint64_t file_size) {
  if (extent.length == 0) return true;
  return extent.offset >= header.bytes && extent.offset <= file_size && extent.length <= file_size - extent.offset;
}

}  // namespace

Result<Header> read_header(const Source& source) {
  std::array<std::byte, NewHeader::kBytes> raw{};
  auto got = source.read_at(0, raw);
  if (!got) return got.error();
  if (*got < kGuessBytes) return refuse(Bytes{raw}.first(*got));
  const auto magic = load<std::uint64_t>(raw.data() + NewHeader::kMagicAt);
  Header header;
  header.foreign = byteswap(magic) == kMagic;
  if (magic != kMagic && !header.foreign) return refuse(Bytes{raw}.first(*got));
  std::memcpy(header.version.data(), raw.data(), kVersionText);
  header.version.back() = '\0';
  auto minor = parse_minor(raw.data());
  if (!minor) return minor.error();
  header.minor = *minor;
  const bool old = header.minor < kLateModules.back().since_minor;
  if (*got < (old ? OldHeader::kBytes : NewHeader::kBytes)) {
    return Error{.code = ErrorCode::kTruncated, .offset = *got, .what = "file ends inside the header"};
  }
  const auto codec = std::to_integer<std::uint8_t>(raw[NewHeader::kCodecAt]);
  if (codec > static_cast<std::uint8_t>(Codec::kNone)) {
    return Error{.code = ErrorCode::kDamaged, .offset = NewHeader::kCodecAt, .what = "unknown compression method"};
  }
  header.codec = static_cast<Codec>(codec);
  const Fields fields(raw.data(), header.foreign);
  if (old) {
    header.partial = fields.u32(OldHeader::kPartialAt);
    read_maps<OldHeader>(header, fields);
    for (const LateModule& late : kLateModules) {
      if (header.minor < late.since_minor) insert_module(header, late.index);
    }
  } else {
    header.partial = fields.u64(NewHeader::kPartialAt);
    read_maps<NewHeader>(header, fields);
  }
  find_job(header, source.size());
  return header;
}

Status check_extents(const Header& header, std::uint64_t file_size) {
  const auto outside = [&](const Extent& extent) { return !inside(extent, header, file_size); };
  const auto refuse_region = [&](const Extent& extent, const char* what) {
    const bool beyond = extent.offset >= header.bytes;
    return Error{.code = beyond ? ErrorCode::kTruncated : ErrorCode::kDamaged,
                 .offset = beyond ? file_size : extent.offset,
                 .what = what};
  };
  if (outside(header.job)) return refuse_region(header.job, "file ends before the job region does");
  if (outside(header.names)) return refuse_region(header.names, "the name region does not lie inside the file");
  for (const Extent& extent : header.modules) {
    if (outside(extent)) return refuse_region(extent, "a module's region does not lie inside the file");
  }
  return {};
}

bool clip_extents(Header& header, std::uint64_t file_size) {
  bool cut = false;
  const auto clip = [&](Extent& extent) {
    if (inside(extent, header, file_size)) return;
    cut = true;
    if (extent.offset < header.bytes || extent.offset >= file_size) extent = {extent.offset, 0};
    else extent.length = file_size - extent.offset;
  };
  clip(header.job);
  clip(header.names);
  for (Extent& extent : header.modules) clip(extent);
  return cut;
}

}  // namespace trikal::log
