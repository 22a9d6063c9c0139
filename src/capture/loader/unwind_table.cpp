#include "capture/loader/unwind_table.hpp"

#include "capture/loader/frame_rows.hpp"

namespace trikal::capture {
namespace {

// Of an index that is sorted: begin of a function and its description, both counted from the index.
struct Entry {
  std::int32_t function, description;
};

// One of the ways to write a pointer, as the index and nearly all descriptions do: four bytes, signed.
constexpr std::uint8_t kFourBytes = 0x0b, kFromHere = 0x10, kFromIndex = 0x30, kUnsignedFourBytes = 0x03;

}  // namespace

UnwindTable::UnwindTable(const dl_phdr_info& info) noexcept {
  std::uintptr_t index = 0;
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    if (info.dlpi_phdr[i].p_type == PT_GNU_EH_FRAME) index = info.dlpi_addr + info.dlpi_phdr[i].p_vaddr;
  }
  for (int i = 0; index != 0 && i < info.dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = info.dlpi_phdr[i];
    const std::uintptr_t begin = info.dlpi_addr + segment.p_vaddr;
    if (segment.p_type != PT_LOAD || index - begin >= segment.p_filesz) continue;
    index_ = reinterpret_cast<const std::byte*>(index);
    begin_ = reinterpret_cast<const std::byte*>(begin);
    end_ = begin_ + segment.p_filesz;
  }
}

FrameRule UnwindTable::rule_at(std::uintptr_t address) const noexcept {
  TableCursor at(index_, begin_, end_);
  const std::uint8_t version = at.u8(), frames = at.u8(), counts = at.u8(), entries = at.u8();
  (void)at.i32();  // where .eh_frame begins: the entries say it of each function
  if (at.failed() || version != 1 || frames != (kFromHere | kFourBytes) || counts != kUnsignedFourBytes ||
      entries != (kFromIndex | kFourBytes))
    return {};
  const std::uint32_t count = at.u32();
  const auto from_index = static_cast<std::int64_t>(address - reinterpret_cast<std::uintptr_t>(index_));
  std::uint32_t low = 0, high = count;  // the first function that begins behind the address
  while (low < high) {
    const std::uint32_t middle = low + (high - low) / 2;
    TableCursor entry(at.here() + std::size_t{middle} * sizeof(Entry), begin_, end_);
    const std::int32_t function = entry.i32();
    if (entry.failed()) return {};
    if (function <= from_index) low = middle + 1;
    else high = middle;
  }
  if (low == 0) return {};
  TableCursor entry(at.here() + std::size_t{low - 1} * sizeof(Entry), begin_, end_);
  (void)entry.i32();
  const std::int32_t description = entry.i32();
  if (entry.failed()) return {};
  return frame_row(TableCursor(index_ + description, begin_, end_), address);
}

}  // namespace trikal::capture
