#pragma once
// A crash map that somebody has, or can fetch again: a job may have more processes than there is memory for their maps.

#include <cstdint>

#include "log/crash/view.hpp"

namespace trikal::log::crash {

// Which chunks a map has, so that nobody fetches it in vain. By default: it may have any.
struct MapContents {
  std::uint64_t kinds = ~std::uint64_t{0};  // a bit a ChunkKind
  std::uint64_t modules = ~std::uint64_t{0};  // a bit a module id, of those with records

  [[nodiscard]] constexpr bool has(ChunkKind kind) const noexcept {
    return ((kinds >> (static_cast<std::uint32_t>(kind) & 63)) & 1) != 0;
  }
  [[nodiscard]] constexpr bool has_module(std::uint32_t id) const noexcept { return ((modules >> (id & 63)) & 1) != 0; }
};

// A map in use: it stays for as long as this does.
class MapPin {
 public:
  explicit MapPin(const MapView* view, std::uint32_t* pins = nullptr) noexcept : view_(view), pins_(pins) {
    if (pins_ != nullptr) ++*pins_;
  }
  ~MapPin() {
    if (pins_ != nullptr) --*pins_;
  }
  MapPin(const MapPin&) = delete;
  MapPin& operator=(const MapPin&) = delete;

  operator const MapView&() const noexcept { return *view_; }  // NOLINT: it stands for the map
  [[nodiscard]] const MapView* operator->() const noexcept { return view_; }

 private:
  const MapView* view_;
  std::uint32_t* pins_;  // how many use it; null: it stays anyway
};

class MapRef {
 public:
  using Fetch = MapPin (*)(const void* context);

  constexpr MapRef() noexcept = default;
  constexpr MapRef(const MapView* view) noexcept : what_(view) {}  // NOLINT: a map that is there is the usual one
  constexpr MapRef(Fetch fetch, const void* context, const MapContents& contents) noexcept
      : what_(context), fetch_(fetch), contents_(contents) {}

  // Until the end of the expression; who needs it longer keeps the answer.
  [[nodiscard]] MapPin operator*() const noexcept {
    return fetch_ == nullptr ? MapPin(static_cast<const MapView*>(what_)) : fetch_(what_);
  }
  [[nodiscard]] MapPin operator->() const noexcept { return **this; }
  // The same for two references to one map.
  [[nodiscard]] const void* key() const noexcept { return what_; }
  [[nodiscard]] const MapContents& contents() const noexcept { return contents_; }

 private:
  const void* what_ = nullptr;
  Fetch fetch_ = nullptr;
  MapContents contents_;
};

}  // namespace trikal::log::crash
