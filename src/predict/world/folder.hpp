#pragma once
// What is in a folder: what lies on the disk, without what the program has removed, and with what it has made.

#include <string>
#include <vector>

#include "predict/world/world.hpp"

namespace trikal::predict {

enum class EntryKind : std::uint8_t { kFile = 1, kFolder = 2, kLink = 3, kOther = 8 };  // as std::filesystem has them

struct FolderEntry {
  std::string name;
  EntryKind kind = EntryKind::kFile;
  std::uint64_t inode = 0;  // 0: made by the program
};

// In the order of the disk; what the program made comes last, by name, because nobody knows where it would be.
[[nodiscard]] std::vector<FolderEntry> entries_of(World& world, const std::string& folder);

}  // namespace trikal::predict
