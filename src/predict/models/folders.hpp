#pragma once
// What is in folders, for models that go through them.

#include <optional>
#include <string>
#include <vector>

#include "predict/machine/machine.hpp"
#include "predict/world/folder.hpp"

namespace trikal::predict {

// With "." and "..", as the system tells it. Where the program made more files than were followed, a note says so and the
// prediction is not complete.
[[nodiscard]] std::vector<FolderEntry> listed_entries(Machine& machine, const std::string& folder);
// A struct dirent; where the next one may lie.
Word put_entry(Machine& machine, Word address, const FolderEntry& entry);
inline constexpr Word kLongestEntry = 280;

}  // namespace trikal::predict
