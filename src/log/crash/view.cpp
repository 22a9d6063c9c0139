#include "log/crash/view.hpp"

#include <algorithm>

namespace trikal::log::crash {
namespace {

Error refused(const char* what, std::uint64_t offset) {
  return {.code = ErrorCode::kDamaged, .offset = offset, .what = what};
}

}  // namespace

MapView::MapView(Bytes bytes) noexcept
    : bytes_(bytes),
      header_(reinterpret_cast<const Header*>(bytes.data())),
      used_(static_cast<std::size_t>(
          std::min<std::uint64_t>(header_->used.load(std::memory_order_acquire), bytes.size()))) {}

Result<MapView> MapView::open(Bytes bytes) noexcept {
  if (bytes.size() < kHeaderBytes || reinterpret_cast<std::uintptr_t>(bytes.data()) % alignof(Header) != 0) {
    return refused("too short to be a crash map", bytes.size());
  }
  const MapView view(bytes);
  if (view.header_->magic != kMagic) return refused("not a crash map: the magic number is missing", 0);
  if (view.header_->layout != kLayout || view.header_->header_bytes != kHeaderBytes) {
    return refused("a crash map of another version of trikal", 8);
  }
  return view;
}

std::string_view MapView::arguments() const noexcept {
  return {header_->text, std::min<std::size_t>(header_->arguments_bytes, kTextBytes)};
}

std::string_view MapView::program() const noexcept {
  const std::size_t begin = arguments().size();
  return {header_->text + begin, std::min<std::size_t>(header_->program_bytes, kTextBytes - begin)};
}

std::string_view MapView::mounts() const noexcept {
  const std::size_t begin = arguments().size() + program().size();
  return {header_->text + begin, std::min<std::size_t>(header_->mounts_bytes, kTextBytes - begin)};
}

const Chunk* MapView::chunk_at(std::size_t at) const noexcept {
  if (used_ - at < kChunkHeader) return nullptr;
  const auto* chunk = reinterpret_cast<const Chunk*>(bytes_.data() + at);
  const std::uint64_t slots = std::uint64_t{chunk->stride} * chunk->capacity;
  const bool sound = chunk->bytes >= kChunkHeader && chunk->bytes <= used_ - at && chunk->bytes % kChunkAlign == 0 &&
                     slots <= chunk->bytes - kChunkHeader && chunk->record_bytes <= chunk->stride &&
                     chunk->count.load(std::memory_order_acquire) <= chunk->capacity;
  return sound ? chunk : nullptr;
}

}  // namespace trikal::log::crash
