#pragma once
// Reads memory that is a file of somebody else: whoever cuts that file while it is read would have us killed by SIGBUS. What
// runs in here ends early instead.

#include <cstddef>

namespace trikal::stream {

// Calls body(context). False: a part of what it read is not there any more, and it was left where it read it. So it owns
// nothing, allocates nothing and calls nothing that does. In any thread; from the first call on SIGBUS is ours, and one that
// does not come from in here does what it did before.
[[nodiscard]] bool guarded(void (*body)(void* context), void* context);

[[nodiscard]] bool guarded_copy(std::byte* into, const std::byte* from, std::size_t bytes);

}  // namespace trikal::stream
