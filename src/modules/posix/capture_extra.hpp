#pragma once
// Between the files of this module's capture.

namespace trikal::modules::posix {

// In a forked child.
void forget_extras() noexcept;
void free_mappings() noexcept;
void free_requests() noexcept;
void free_submitted() noexcept;

}  // namespace trikal::modules::posix
