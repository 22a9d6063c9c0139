#pragma once

namespace trikal::capture {

// In a forked child: nobody holds the lock.
void forget_phases() noexcept;

}  // namespace trikal::capture
