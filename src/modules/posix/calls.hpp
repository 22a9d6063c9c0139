#pragma once
// The transfers of POSIX, for trikal predict.

#include "schema/calls.hpp"

namespace trikal::modules::posix {

inline constexpr CallShape kCalls[] = {
    {"read", CallKind::kRead, 0, 1, 2},           {"write", CallKind::kWrite, 0, 1, 2},
    {"pread", CallKind::kRead, 0, 1, 2, -1, 3},   {"pwrite", CallKind::kWrite, 0, 1, 2, -1, 3},
    {"pread64", CallKind::kRead, 0, 1, 2, -1, 3}, {"pwrite64", CallKind::kWrite, 0, 1, 2, -1, 3},
};

}  // namespace trikal::modules::posix
