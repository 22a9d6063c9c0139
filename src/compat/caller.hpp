#pragma once
// What the program that called us was built for.

#include <cstddef>

namespace trikal::compat {

// Bytes of a trace segment as the caller knows it: 40, or 32 without the thread.
//
// Darshan's sources gave a segment its thread after release 3.5.0 without a new version number, so nothing in the
// interface tells the two apart. Asked in this order: the environment (TRIKAL_DXT_SEGMENT_BYTES=32 or 40), the
// declarations of PyDarshan where it is what runs us, and else 40, as in our header.
[[nodiscard]] std::size_t caller_segment_bytes();

}  // namespace trikal::compat
