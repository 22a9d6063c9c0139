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

std::vector<FolderEntry> entries_of(World& world, const std::string& folder) {
  world.meet_all();
  const std::string real_folder = world.real_name(folder), before = real_folder + (real_folder == "/" ? "" : "/");
  std::vector<FolderEntry> all;
  std::set<std::string> seen;
  const auto close = [](DIR* one) { (void)::closedir(one); };
  const std::unique_ptr<DIR, decltype(close)> real(::opendir(real_folder.c_str()), close);
  for (const dirent* next = real ? ::readdir(real.get()) : nullptr; next != nullptr; next = ::readdir(real.get())) {
    const std::string name = next->d_name;
    if (name == "." || name == "..") continue;
    seen.insert(name);
    const bool link = !world.link_at(before + name).empty();  // it may lead to nothing
    const auto known = world.find(before + name);
    if (!link && known && world.files[*known].looked_up && !world.files[*known].exists) continue;
    EntryKind kind = link ? EntryKind::kLink : kind_of(next->d_type);
    const bool replaced = !link && known && world.files[*known].looked_up &&
                          (kind == EntryKind::kLink || world.files[*known].directory != (kind == EntryKind::kFolder));
    if (replaced) kind = world.files[*known].directory ? EntryKind::kFolder : EntryKind::kFile;
    all.push_back({name, kind, next->d_ino});
  }
  const std::size_t real_ones = all.size();
  const auto add = [&](const std::string& path, EntryKind kind) {
    if (!path.starts_with(before)) return;
    const std::string name = path.substr(before.size());
    if (!name.empty() && name.find('/') == std::string::npos && seen.insert(name).second) all.push_back({name, kind});
  };
  for (const std::string& link : world.links()) add(link, EntryKind::kLink);
  for (const File& file : world.files)
    if (file.exists && file.looked_up && file.real == kNoFile)
      add(file.name, file.directory ? EntryKind::kFolder : EntryKind::kFile);
  std::sort(all.begin() + static_cast<std::ptrdiff_t>(real_ones), all.end(),
            [](const FolderEntry& a, const FolderEntry& b) { return a.name < b.name; });
  return all;
}

}  // namespace trikal::predict
