#pragma once
// MDHIM records on disk: version 1 since 3.1.7.

#include <algorithm>

#include "modules/mdhim/schema.hpp"
#include "schema/form.hpp"

namespace trikal::modules::mdhim {

// There is space for one server even where there is none.
inline Result<Tail> tail(const std::byte* head) {
  const auto servers = std::max<std::int64_t>(1, load<std::int64_t>(head + kServersAt));
  if (!believable(servers)) {
    return Error{.code = ErrorCode::kDamaged, .what = "an MDHIM record has an impossible number of servers"};
  }
  return Tail{.items = static_cast<std::uint64_t>(servers)};
}

inline constexpr Form kForms[] = {
    {.version = 1, .head_bytes = kHeadBytes, .tail = tail},
};
inline constexpr Rewrite kRewrite = {.counts_follow = true};
inline constexpr ModuleFormat kFormat = {.schema = &kSchema, .forms = kForms, .rewrite = &kRewrite};

}  // namespace trikal::modules::mdhim
