#pragma once
// The transfers of STDIO whose bytes are arguments, for trikal predict.

#include "schema/calls.hpp"

namespace trikal::modules::stdio {

inline constexpr CallShape kCalls[] = {
    {"fread", CallKind::kRead, 3, 0, 1, 2},
    {"fwrite", CallKind::kWrite, 3, 0, 1, 2},
    {"fread_unlocked", CallKind::kRead, 3, 0, 1, 2},
    {"fwrite_unlocked", CallKind::kWrite, 3, 0, 1, 2},
};

}  // namespace trikal::modules::stdio
