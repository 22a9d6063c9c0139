#pragma once
// HEATMAP records on disk: version 1 since 3.4.0.

#include "modules/heatmap/rewrite.hpp"
#include "modules/heatmap/schema.hpp"
#include "schema/form.hpp"

namespace trikal::modules::heatmap {

inline Result<Tail> tail(const std::byte* head) {
  const auto bins = load<std::int64_t>(head + kBinsAt);
  if (!believable(bins)) {
    return Error{.code = ErrorCode::kDamaged, .what = "a heatmap has an impossible number of bins"};
  }
  return Tail{.items = 2 * static_cast<std::uint64_t>(bins)};
}

// Runtimes 3.4.0 to 3.4.3 could leave ranks one bin apart. All records follow the first of their width:
// a bin too many is cut off, a missing one is empty.
inline Status settle(std::vector<std::byte>& record, FormState& state) {
  store(record.data() + kUnusedAt, std::uint64_t{0});
  store(record.data() + kUnusedAt + 8, std::uint64_t{0});
  const auto bins = load<std::int64_t>(record.data() + kBinsAt);
  const auto width = load<double>(record.data() + kWidthAt);
  if (state.first_count < 0) {
    state = {bins, width};
    return {};
  }
  if (width != state.first_width) return {};

  const auto end_of_writes = record.begin() + kHeadBytes + 8 * bins;
  if (bins == state.first_count + 1) {
    record.resize(record.size() - 8);
    record.erase(end_of_writes - 8, end_of_writes);
  } else if (bins == state.first_count - 1) {
    record.insert(end_of_writes, 8, std::byte{0});
    record.resize(record.size() + 8);
  } else {
    return {};
  }
  store(record.data() + kBinsAt, state.first_count);
  return {};
}

inline constexpr Form kForms[] = {
    {.version = 1, .head_bytes = kHeadBytes, .tail = tail, .settle = settle},
};
inline constexpr ModuleFormat kFormat = {.schema = &kSchema, .forms = kForms, .rewrite = &kRewrite};

}  // namespace trikal::modules::heatmap
