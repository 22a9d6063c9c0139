#pragma once
// APMPI records on disk: version 1 since 3.3.0, where it is enabled.

#include "modules/apmpi/schema.hpp"

namespace trikal::modules::apmpi {

// The header has a 32-bit number, the perf record a node's name: neither is a word.
inline void swap_items(const std::byte* head, std::byte* items, std::uint64_t count) {
  if (autoperf::is_header<kMagic>(head)) {
    store(items, byteswap(load<std::uint32_t>(items)));
    swap_words(items + 8, count - 1);
  } else {
    swap_words(items, (kNodeNameAt - autoperf::kHeadBytes) / 8);
  }
}

inline constexpr Form kForms[] = {
    {.version = 1,
     .head_bytes = autoperf::kHeadBytes,
     .tail = autoperf::tail<kMagic, kHeaderBytes, kPerfBytes>,
     .swap_items = swap_items},
};
inline constexpr ModuleFormat kFormat = {.schema = &kSchema, .forms = kForms, .rewrite = &autoperf::kRewrite<kMagic>};

}  // namespace trikal::modules::apmpi
