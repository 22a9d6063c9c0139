#include "predict/world/folder.hpp"

#include <dirent.h>

#include <algorithm>
#include <memory>
#include <set>

namespace trikal::predict {
namespace {

EntryKind kind_of(unsigned char type) {
  switch (type) {
    case DT_REG: return EntryKind::kFile;
    case DT_DIR: return EntryKind::kFolder;
    case DT_LNK: return EntryKind::kLink;
    default: return EntryKind::kOther;
  }
}

}  // namespace

std::vector<FolderEntry> entries_of(const World& world, const std::string& folder) {
  const std::string before = folder.ends_with("/") ? folder : folder + "/";
  std::vector<FolderEntry> all;
  std::set<std::string> seen;
  const auto close = [](DIR* one) { (void)::closedir(one); };
  const std::unique_ptr<DIR, decltype(close)> real(::opendir(folder.c_str()), close);
  for (const dirent* next = real ? ::readdir(real.get()) : nullptr; next != nullptr; next = ::readdir(real.get())) {
    const std::string name = next->d_name;
    if (name == "." || name == "..") continue;
    seen.insert(name);
    const auto known = world.find(before + name);
    if (!known || world.files[*known].exists) all.push_back({name, kind_of(next->d_type)});
  }
  const std::size_t real_ones = all.size();
  for (const File& file : world.files) {
    if (!file.exists || !file.name.starts_with(before)) continue;
    const std::string name = file.name.substr(before.size());
    if (name.empty() || name.find('/') != std::string::npos || seen.contains(name)) continue;
    all.push_back({name, file.directory ? EntryKind::kFolder : EntryKind::kFile});
  }
  std::sort(all.begin() + static_cast<std::ptrdiff_t>(real_ones), all.end(),
            [](const FolderEntry& a, const FolderEntry& b) { return a.name < b.name; });
  return all;
}

}  // namespace trikal::predict
