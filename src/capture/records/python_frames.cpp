#include "capture/records/python_frames.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <string_view>

#include "capture/raw.hpp"

namespace trikal::capture {

// Offsets in bytes.
struct PythonLayout {
  std::uint32_t minor;
  std::uint8_t current;  // of the thread's state: the frame it is in, or what points at that
  bool is_indirect;
  std::uint8_t indirect;  // of what it points at: the frame
  std::uint8_t code, previous, instruction, owner;  // of a frame
  std::uint8_t first_line, instructions;            // of code; the rest is where it was in all of them
  std::uint8_t ascii, wide;                         // of a string: its characters
};

namespace {

constexpr PythonLayout kLayouts[] = {
    {11, 56, true, 8, 32, 48, 56, 69, 72, 184, 48, 72},
    {12, 56, true, 0, 0, 8, 56, 70, 68, 192, 40, 56},
    {13, 72, false, 0, 0, 8, 56, 70, 68, 200, 40, 56},
};
constexpr std::uintptr_t kFileName = 112, kQualifiedName = 128, kLineTable = 136, kStringLength = 16, kStringState = 32,
                         kBytes = 32;
constexpr std::uint8_t kOfTheCStack = 3;  // an entry frame of 3.12 and later, with no code of a program
constexpr std::size_t kMostFrames = 32;
constexpr std::uintptr_t kPage = 4096;

// Memory that is not there any more is not touched: a page is asked for before the first word of it is read.
class Reader {
 public:
  template <class T>
  [[nodiscard]] T load(std::uintptr_t at) noexcept {
    T value{};
    if (!sees(at, sizeof value)) return value;
    std::memcpy(&value, reinterpret_cast<const void*>(at), sizeof value);
    return value;
  }
  [[nodiscard]] bool sees(std::uintptr_t at, std::size_t bytes) noexcept {
    for (std::uintptr_t page = at & ~(kPage - 1); page < at + bytes; page += kPage) {
      std::uintptr_t& known = known_[(page / kPage) % kKnown];
      if (known == page) continue;
      if (page == 0 || !can_be_read(page)) return false;
      known = page;
    }
    return true;
  }

 private:
  static constexpr std::size_t kKnown = 64;
  std::uintptr_t known_[kKnown] = {};
};

// Of the process, under the lock of the call sites. Forgotten now and then: a page may be given back.
constinit Reader reader;
constinit std::uint32_t reads = 0;

// Installed beside the interpreter or by pip, or built into it: not what its user writes.
bool is_library_file(std::string_view file) noexcept {
  constexpr std::string_view kFolders[] = {"/site-packages/", "/dist-packages/", "/lib/python3"};
  if (file.starts_with("<frozen")) return true;
  return std::ranges::any_of(kFolders, [&](std::string_view folder) { return file.find(folder) != file.npos; });
}

std::size_t put_utf8(std::uint32_t point, std::span<char> out) noexcept {
  char bytes[4];
  std::size_t count = 0;
  if (point < 0x80) {
    bytes[count++] = static_cast<char>(point);
  } else {
    const unsigned more = point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
    constexpr unsigned char kHeads[] = {0, 0xc0, 0xe0, 0xf0};
    bytes[count++] = static_cast<char>(kHeads[more] | (point >> (6 * more)));
    for (unsigned left = more; left-- > 0;) bytes[count++] = static_cast<char>(0x80U | ((point >> (6 * left)) & 0x3fU));
  }
  if (count > out.size()) return 0;
  std::memcpy(out.data(), bytes, count);
  return count;
}

std::size_t string_at(const PythonLayout& layout, std::uintptr_t object, std::span<char> out) noexcept {
  const auto length = reader.load<std::int64_t>(object + kStringLength);
  const auto state = reader.load<std::uint32_t>(object + kStringState);
  const unsigned width = (state >> 2) & 7;
  const bool is_compact = (state & 0x20) != 0, is_ascii = (state & 0x40) != 0;
  if (length <= 0 || !is_compact || (width != 1 && width != 2 && width != 4)) return 0;
  const std::uintptr_t text = object + (is_ascii ? layout.ascii : layout.wide);
  std::size_t used = 0;
  for (std::int64_t i = 0; i < length && used < out.size(); ++i) {
    const std::uintptr_t at = text + static_cast<std::uintptr_t>(i) * width;
    const std::uint32_t point = width == 1   ? reader.load<std::uint8_t>(at)
                                : width == 2 ? reader.load<std::uint16_t>(at)
                                             : reader.load<std::uint32_t>(at);
    const std::size_t put = put_utf8(point, out.subspan(used));
    if (put == 0) break;
    used += put;
  }
  return used;
}

// Lines of code, as Objects/locations.md of Python describes them: entries of one byte and what belongs to it, each for so
// many units of two bytes.
class LineTable {
 public:
  LineTable(std::uintptr_t at, std::int64_t bytes, std::uint32_t line) noexcept
      : at_(at), end_(at + static_cast<std::uintptr_t>(bytes)), line_(line) {}

  [[nodiscard]] std::uint32_t line_at(std::uint64_t unit) noexcept {
    std::uint64_t passed = 0;
    while (at_ < end_) {
      const std::uint8_t head = next();
      passed += (head & 7U) + 1;
      const bool has_line = read((head >> 3) & 15U);
      if (passed > unit) return has_line ? static_cast<std::uint32_t>(std::max<std::int64_t>(line_, 0)) : 0;
    }
    return 0;
  }

 private:
  static constexpr unsigned kOneLine = 10, kNoColumn = 13, kLong = 14, kNone = 15;

  // False: an instruction of no line.
  bool read(unsigned code) noexcept {
    if (code == kNone) return false;
    if (code < kOneLine) {
      (void)next();
    } else if (code < kNoColumn) {
      line_ += code - kOneLine;
      (void)next(), (void)next();
    } else {
      line_ += signed_number();
      for (int i = 0; code == kLong && i < 3; ++i) (void)number();
    }
    return true;
  }
  std::uint8_t next() noexcept { return at_ < end_ ? reader.load<std::uint8_t>(at_++) : 0; }
  std::uint64_t number() noexcept {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 60; shift += 6) {
      const std::uint8_t byte = next();
      value |= std::uint64_t{byte & 0x3fU} << shift;
      if ((byte & 0x40U) == 0) break;
    }
    return value;
  }
  std::int64_t signed_number() noexcept {
    const std::uint64_t value = number();
    const auto half = static_cast<std::int64_t>(value >> 1);
    return (value & 1) != 0 ? -half : half;
  }

  std::uintptr_t at_, end_;
  std::int64_t line_;
};

}  // namespace

Python::Python(const dl_phdr_info& info) noexcept {
  const ElfObject object(info);
  const auto find = [&](const char* name, ElfObject::Kind kind) noexcept {
    const std::uint32_t index = object.look_up(name, gnu_hash_of(name), kind);
    return index == 0 ? 0 : info.dlpi_addr + object.symbols[index].st_value;
  };
  const std::uintptr_t version = find("Py_Version", ElfObject::Kind::kData);
  const std::uintptr_t state = find("PyGILState_GetThisThreadState", ElfObject::Kind::kFunction);
  if (version == 0 || state == 0) return;
  const std::uint64_t word = *reinterpret_cast<const unsigned long*>(version);
  const auto* layout =
      std::ranges::find(kLayouts, static_cast<std::uint32_t>(word >> 16U & 0xffU), &PythonLayout::minor);
  if (word >> 24U != 3 || layout == std::end(kLayouts)) return;
  layout_ = layout;
  state_ = reinterpret_cast<State>(state);
}

// Of code that was asked about before, the answer is at hand as long as it is still the same code.
bool Python::is_library(std::uintptr_t code) const noexcept {
  struct Known {
    std::uintptr_t code = 0, file = 0;
    bool is_library = false;
  };
  static constexpr std::size_t kKnown = 512;
  static constinit Known known[kKnown];
  const auto file = reader.load<std::uintptr_t>(code + kFileName);
  Known& entry = known[(code >> 4U) % kKnown];
  if (entry.code == code && entry.file == file) return entry.is_library;
  char name[512];
  const std::size_t bytes = string_at(*layout_, file, name);
  entry = {code, file, is_library_file({name, bytes})};
  return entry.is_library;
}

bool Python::find(Spot& spot) const noexcept {
  constexpr std::uint32_t kForget = 65536;
  if (++reads % kForget == 0) reader = {};
  const auto state = reinterpret_cast<std::uintptr_t>(state_());
  if (state == 0) return false;
  auto frame = reader.load<std::uintptr_t>(state + layout_->current);
  if (layout_->is_indirect) frame = reader.load<std::uintptr_t>(frame + layout_->indirect);
  Frame innermost;
  for (std::size_t i = 0; frame != 0 && i < kMostFrames;
       ++i, frame = reader.load<std::uintptr_t>(frame + layout_->previous)) {
    const Frame here = {reader.load<std::uintptr_t>(frame + layout_->code),
                        reader.load<std::uintptr_t>(frame + layout_->instruction)};
    if (here.code == 0 || reader.load<std::uint8_t>(frame + layout_->owner) == kOfTheCStack) continue;
    if (innermost.code == 0) innermost = here;
    spot.program = here;
    if (!is_library(here.code)) return true;
    spot.library = here;
  }
  // A library's own threads, or one that is run as a program (python -m): its innermost line.
  spot = {innermost, {}};
  return innermost.code != 0;
}

std::size_t Python::file_of(const Frame& frame, std::span<char> out) const noexcept {
  return string_at(*layout_, reader.load<std::uintptr_t>(frame.code + kFileName), out);
}

std::size_t Python::function_of(const Frame& frame, std::span<char> out) const noexcept {
  return string_at(*layout_, reader.load<std::uintptr_t>(frame.code + kQualifiedName), out);
}

std::uint32_t Python::line_of(const Frame& frame) const noexcept {
  const auto table = reader.load<std::uintptr_t>(frame.code + kLineTable);
  const auto bytes = reader.load<std::int64_t>(table + kStringLength);
  const std::uintptr_t first = frame.code + layout_->instructions;
  constexpr std::int64_t kMost = 1 << 24;
  if (bytes <= 0 || bytes > kMost || frame.instruction < first) return 0;
  LineTable lines(table + kBytes, bytes, reader.load<std::uint32_t>(frame.code + layout_->first_line));
  return lines.line_at((frame.instruction - first) / 2);
}

}  // namespace trikal::capture
