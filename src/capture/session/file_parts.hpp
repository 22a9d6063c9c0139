#pragma once
// Records of what lies in a file: a dataset, a variable.

#include <string_view>

#include "capture/session/session.hpp"

namespace trikal::capture {

// The one named "/data/run.h5:/group/name", made if there is none; null where a signal handler interrupts another such search.
[[nodiscard]] File* part_of(const File& file, std::string_view name) noexcept;
void free_part_names() noexcept;  // in a forked child

}  // namespace trikal::capture
