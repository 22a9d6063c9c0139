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

bool MapView::is_chunk(std::size_t at) const noexcept {
  if (used_ < at || used_ - at < kChunkHeader) return false;
  const Chunk* chunk = chunk_at(at);
  return chunk->mark == kChunkMark && chunk->bytes == chunk_bytes(chunk->stride, chunk->capacity) &&
         chunk->record_bytes <= chunk->stride && chunk->count.load(std::memory_order_acquire) <= chunk->capacity;
}

MapView::Found MapView::find(std::size_t at) const noexcept {
  while (at < used_ && !is_chunk(at)) at += kChunkAlign;
  if (at >= used_) return {};
  const Chunk* chunk = chunk_at(at);
  const std::uint64_t wanted = std::uint64_t{chunk->stride} * chunk->count.load(std::memory_order_acquire);
  const std::size_t there = used_ - at - kChunkHeader;
  const bool whole = chunk->bytes <= used_ - at;
  // Of a chunk that was cut off, the slots that are whole; whoever reads them looks at their stride.
  const auto bytes = static_cast<std::size_t>(std::min<std::uint64_t>(wanted, there));
  return {chunk, bytes_.subspan(at + kChunkHeader, bytes), at, at + (whole ? chunk->bytes : kChunkHeader)};
}

Status MapView::damage() const noexcept {
  if (used_ < kHeaderBytes) return refused("the map does not say how much of it is in use", offsetof(Header, used));
  std::size_t at = kHeaderBytes;
  while (is_chunk(at) && chunk_at(at)->bytes <= used_ - at) at += chunk_at(at)->bytes;
  const bool cut = header_->used.load(std::memory_order_acquire) > bytes_.size();
  if (cut && (at == used_ || is_chunk(at) || used_ - at < kChunkHeader))
    return Error{.code = ErrorCode::kTruncated, .offset = bytes_.size(), .what = "the map was cut off here"};
  if (at < used_) return refused("a part of the map is damaged and left out", at);
  return {};
}

}  // namespace trikal::log::crash
