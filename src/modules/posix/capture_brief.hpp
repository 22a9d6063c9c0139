#pragma once
// Files that were opened, closed or asked about, and no more.

#include "modules/posix/capture.hpp"

namespace trikal::modules::posix {

// Each counts one call if the file has no more than a brief record, makes that where needed, and says whether it did.
[[nodiscard]] bool opened_briefly(capture::File& file, Span when, mode_t mode) noexcept;
[[nodiscard]] bool closed_briefly(capture::File& file, Span when) noexcept;
[[nodiscard]] bool stated_briefly(capture::File& file, Span when) noexcept;

}  // namespace trikal::modules::posix
