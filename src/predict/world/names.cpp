// Names of files: what they lead to by dots and links, and what becomes of them when the program changes them.

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <deque>
#include <filesystem>

#include "predict/world/folder.hpp"
#include "predict/world/world.hpp"

namespace trikal::predict {
namespace {

constexpr Word kEndless = Word{1} << 62;
constexpr int kMostLinks = 40;  // one after the other, as the system has it

std::string skeleton(const std::string& name) {
  std::string out;
  for (const char c : name)
    if (c < '0' || c > '9') out += c;
    else if (out.empty() || out.back() != '#') out += '#';
  return out;
}

std::deque<std::string> parts_of(const std::string& name) {
  std::deque<std::string> parts;
  for (std::size_t at = 0; at < name.size();) {
    const std::size_t slash = std::min(name.find('/', at), name.size());
    if (slash > at) parts.push_back(name.substr(at, slash - at));
    at = slash + 1;
  }
  return parts;
}

// What these are links to is about the process that looks, and that is not the program.
bool of_the_process(const std::string& name) { return name.starts_with("/proc/") || name.starts_with("/dev/"); }

std::uint32_t usual_mask() {
  const mode_t mask = ::umask(0);
  (void)::umask(mask);
  return mask;
}

}  // namespace

World::World() : mask(usual_mask()) {
  std::error_code error;
  here = std::filesystem::current_path(error).string();
}

std::string World::full_name(const std::string& folder, const std::string& name) {
  if (name.empty() || name.front() == '<') return name;
  std::string out;
  if (name.front() != '/') out = folder.ends_with('/') ? folder : folder + '/';
  for (std::size_t at = 0; at < name.size();) {
    const bool after_slash = out.ends_with('/');
    if (after_slash && name[at] == '/') {
      ++at;
    } else if (after_slash && name[at] == '.' && at + 1 < name.size() && name[at + 1] == '/') {
      at += 2;
    } else {
      const std::size_t slash = name.find('/', at), end = slash == std::string::npos ? name.size() : slash + 1;
      out += name.substr(at, end - at);
      at = end;
    }
  }
  return out;
}

std::string World::target_of(const std::string& real) {
  const auto [found, fresh] = links_.try_emplace(real);
  if (!fresh || of_the_process(real)) return found->second;
  char text[PATH_MAX];
  const ssize_t bytes = ::readlink(real.c_str(), text, sizeof text);
  if (bytes > 0) found->second.assign(text, static_cast<std::size_t>(bytes));
  return found->second;
}

std::string World::real_name(const std::string& name, bool follow) {
  if (name.empty() || name.front() != '/') return name;
  std::deque<std::string> left = parts_of(name);
  std::string out;
  for (int links = 0; !left.empty();) {
    const std::string part = left.front();
    left.pop_front();
    if (part == ".") continue;
    if (part == "..") {
      out.resize(out.empty() ? 0 : out.rfind('/'));
      continue;
    }
    const std::string next = out + '/' + part;
    const std::string target = left.empty() && !follow ? "" : target_of(next);
    if (target.empty()) {
      out = next;
      continue;
    }
    if (++links > kMostLinks) return "/<a ring of links>";
    if (target.front() == '/') out.clear();
    const std::deque<std::string> within = parts_of(target);
    left.insert(left.begin(), within.begin(), within.end());
  }
  return out.empty() ? "/" : out;
}

std::optional<std::uint32_t> World::find(const std::string& name) const {
  const auto found = names_.find(name);
  return found == names_.end() ? std::nullopt : std::optional(found->second);
}

std::uint32_t World::file_named(const std::string& name) {
  const auto [found, fresh] = names_.try_emplace(name, static_cast<std::uint32_t>(files.size()));
  const std::uint32_t number = found->second;
  if (fresh) files.emplace_back().name = name;
  if (files[number].looked_up) meet(number);
  else look_up(number);
  return number;
}

std::uint32_t World::nameless(const std::string& name) {
  std::uint32_t number = 0;
  while (number < files.size() && (files[number].name != name || is_open(number))) ++number;
  if (number == files.size()) files.emplace_back().name = name;
  File& file = files[number];
  static_cast<FileState&>(file) = {};
  file.content = std::make_shared<const std::string>();
  file.exists = file.looked_up = true;
  return number;
}

void World::look_up(std::uint32_t number) {
  const std::string name = files[number].name, real = real_name(name);
  leave(number);
  files[number].looked_up = true;
  files[number].real = kNoFile;
  static_cast<FileState&>(files[number]) = {};
  if (real == name) {
    look_on_disk(files[number]);
  } else {
    const std::uint32_t leads_to = file_named(real);
    files[number].real = leads_to;
    bind(number, leads_to);
  }
  File& file = files[number];
  if (const auto family = families_.find(skeleton(name)); !file.exists && family != families_.end()) {
    file.exists = true;
    file.size = files[family->second].size;
    file.directory = files[family->second].directory;
  }
}

void World::look_on_disk(File& file) const {
  struct stat known;
  if (::stat(file.name.c_str(), &known) != 0) return;
  // By a link of the disk's that is gone here: nothing leads there.
  std::error_code error;
  if (!of_the_process(file.name) && std::filesystem::canonical(file.name, error) != file.name) return;
  file.exists = true;
  file.size = static_cast<Word>(known.st_size);
  file.original = S_ISREG(known.st_mode);
  file.directory = S_ISDIR(known.st_mode);
  file.size_known = S_ISREG(known.st_mode);
  // Devices that never end give what they are asked for.
  if (file.name == "/dev/zero" || file.name == "/dev/urandom" || file.name == "/dev/random")
    file.size = kEndless, file.size_known = true;
  if (file.name == "/dev/null") file.size_known = true;
}

void World::know(const World& other, bool as_it_left_them) {
  for (std::size_t i = 0; i < other.files.size(); ++i) {
    if (i < files.size()) {
      if (as_it_left_them) files[i] = other.files[i];
      continue;
    }
    File& file = files.emplace_back(other.files[i]);
    names_[file.name] = static_cast<std::uint32_t>(i);
    if (as_it_left_them) continue;
    static_cast<FileState&>(file) = {};
    file.looked_up = file.left_behind = false;
    file.real = file.same = kNoFile;
  }
  if (as_it_left_them) same_ = other.same_, links_ = other.links_;
}

void World::note_family(std::uint32_t file) { families_[skeleton(files[file].name)] = file; }

bool World::has_families_in(const std::string& folder) const {
  const std::string before = skeleton(folder.ends_with('/') ? folder : folder + '/');
  return std::ranges::any_of(families_, [&](const auto& family) {
    return family.first.starts_with(before) && family.first.find('/', before.size()) == std::string::npos;
  });
}

void World::bind(std::uint32_t number, std::uint32_t file) {
  meet(file);
  if (files[file].same == kNoFile) {
    files[file].same = static_cast<std::uint32_t>(same_.size());
    same_.push_back({files[file], {file}});
  }
  files[number].same = files[file].same;
  same_[files[file].same].names.push_back(number);
  static_cast<FileState&>(files[number]) = same_[files[file].same].state;
}

void World::leave(std::uint32_t number) {
  File& file = files[number];
  if (file.same != kNoFile) std::erase(same_[file.same].names, number);
  file.same = kNoFile;
  file.left_behind = false;
}

void World::meet(std::uint32_t number) {
  if (files[number].same == kNoFile) return;
  Same& same = same_[files[number].same];
  // Made anew since under the old name: that is another file.
  for (const std::uint32_t one : std::vector(same.names))
    if (files[one].left_behind && files[one].exists) leave(one);
  const FileState before = same.state;
  for (const std::uint32_t one : same.names) {
    FileState now = files[one];
    if (files[one].left_behind) now.exists = before.exists;
    if (!(now == before)) same.state = now;
  }
  for (const std::uint32_t one : same.names) {
    static_cast<FileState&>(files[one]) = same.state;
    if (files[one].left_behind) files[one].exists = false;
  }
}

void World::meet_all() {
  for (const Same& same : same_)
    if (!same.names.empty()) meet(same.names.front());
}

std::vector<std::uint32_t> World::leading_to(std::uint32_t number) const {
  std::vector<std::uint32_t> all = {number};
  if (files[number].same == kNoFile) return all;
  for (const std::uint32_t one : same_[files[number].same].names)
    if (files[one].real == number) all.push_back(one);
  return all;
}

Word World::count_names(const File& file) const {
  if (file.same == kNoFile) return file.exists ? 1 : 0;
  return static_cast<Word>(std::ranges::count_if(same_[file.same].names, [this](std::uint32_t one) {
    return files[one].real == kNoFile && !files[one].left_behind;
  }));
}

bool World::is_open(std::uint32_t file) const {
  return std::ranges::any_of(opened, [file](const Opened& one) { return one.users > 0 && one.file == file; });
}

// Links have changed: where names lead to by them is looked up again.
void World::forget_ways(const std::string& name) {
  for (File& file : files)
    if (file.real != kNoFile || file.name == name || file.name.starts_with(name + "/")) file.looked_up = false;
}

void World::make_link(const std::string& name, const std::string& target) {
  const std::string entry = real_name(name, false);
  links_[entry] = target;
  forget_ways(entry);
}

std::vector<std::string> World::links() const {
  std::vector<std::string> all;
  for (const auto& [name, target] : links_)
    if (!target.empty()) all.push_back(name);
  return all;
}

void World::join(const std::string& name, std::uint32_t file) {
  const std::uint32_t number = file_named(real_name(name, false));
  const std::uint32_t real = files[file].real == kNoFile ? file : files[file].real;
  if (FileState& state = files[real]; state.original && state.lies.empty()) state.lies = files[real].name, meet(real);
  for (const std::uint32_t one : leading_to(number)) {
    leave(one);
    bind(one, real);
  }
}

void World::remove(const std::string& name) {
  const std::string entry = real_name(name, false);
  if (!target_of(entry).empty()) {
    links_[entry].clear();
    forget_ways(entry);
    const auto found = names_.try_emplace(entry, static_cast<std::uint32_t>(files.size()));
    if (found.second) files.emplace_back().name = entry;
    File& file = files[found.first->second];
    file.looked_up = true;  // the disk still has the link
    file.real = kNoFile;
    file.left_behind = file.same != kNoFile;
    file.exists = false;
    return;
  }
  const std::uint32_t number = file_named(entry);
  const std::vector<std::uint32_t> gone = leading_to(number);
  const bool stays =
      files[number].same != kNoFile && std::ranges::any_of(same_[files[number].same].names, [&](std::uint32_t one) {
        return !files[one].left_behind && std::ranges::find(gone, one) == gone.end();
      });
  for (const std::uint32_t one : gone) {
    files[one].exists = false;
    files[one].left_behind = stays;
    if (!stays) files[one].original = files[one].directory = false;
  }
  meet(number);
}

void World::rename(const std::string& from, const std::string& to) {
  const std::string source = real_name(from, false), target = real_name(to, false);
  if (source == target) return;
  const bool link = !target_of(source).empty() || !target_of(target).empty();
  const std::uint32_t one = file_named(source), other = file_named(target);
  if (!link && files[one].same != kNoFile && files[one].same == files[other].same && files[other].exists) return;
  if (files[other].exists || !target_of(target).empty()) remove(target);
  move(source, target);
}

void World::move(const std::string& from, const std::string& to) {
  if (const std::string target = target_of(from); !target.empty()) {
    remove(from);
    return make_link(to, target);
  }
  const std::uint32_t one = file_named(from), other = file_named(to);
  if (files[one].directory)
    for (const FolderEntry& entry : entries_of(*this, from)) move(from + '/' + entry.name, to + '/' + entry.name);
  if (FileState& state = files[one]; state.original && state.lies.empty()) state.lies = from, meet(one);
  const std::vector<std::uint32_t> old_names = leading_to(one), new_names = leading_to(other);
  const bool goes_on = files[one].same != kNoFile ? same_[files[one].same].names.size() > old_names.size() : false;
  if (goes_on || std::ranges::any_of(old_names, [this](std::uint32_t name) { return is_open(name); })) {
    for (const std::uint32_t name : new_names) leave(name), bind(name, one);
    for (const std::uint32_t name : old_names) files[name].left_behind = true, files[name].exists = false;
    return meet(one);
  }
  const FileState state = files[one];
  files[one].exists = files[one].original = files[one].directory = false;
  meet(one);
  for (const std::uint32_t name : new_names) leave(name);
  static_cast<FileState&>(files[other]) = state;
  for (const std::uint32_t name : new_names)
    if (name != other) bind(name, other);
}

}  // namespace trikal::predict
