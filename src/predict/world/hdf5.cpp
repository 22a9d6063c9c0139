#include "predict/world/hdf5.hpp"

#include <algorithm>
#include <utility>

namespace trikal::predict {
namespace {

constexpr unsigned kKindAt = 56;
constexpr Word kSlot = (Word{1} << kKindAt) - 1;

}  // namespace

std::string hdf5_path(const std::string& from, const std::string& name) {
  const std::string whole = name.starts_with("/") ? name : from + "/" + name;
  std::string out;
  for (std::size_t at = 0; at < whole.size();) {
    const std::size_t end = std::min(whole.find('/', at), whole.size());
    const std::string step = whole.substr(at, end - at);
    if (!step.empty() && step != ".") out += "/" + step;
    at = end + 1;
  }
  return out.empty() ? "/" : out;
}

// No handle is 0: the first slot is never used.
Word Hdf5::add(Hdf5Object object) {
  if (objects.empty()) objects.emplace_back().users = 1;
  auto free = std::ranges::find_if(objects, [](const Hdf5Object& one) { return one.users == 0; });
  if (free == objects.end()) free = objects.emplace(objects.end());
  object.users = 1;
  *free = std::move(object);
  return static_cast<Word>(free->kind) << kKindAt | static_cast<Word>(free - objects.begin());
}

const Hdf5Object* Hdf5::at(Word handle) const {
  const Word slot = handle & kSlot;
  if (slot == 0 || slot >= objects.size()) return nullptr;
  const Hdf5Object& object = objects[slot];
  return object.users > 0 && static_cast<Word>(object.kind) == handle >> kKindAt ? &object : nullptr;
}
Hdf5Object* Hdf5::at(Word handle) { return const_cast<Hdf5Object*>(std::as_const(*this).at(handle)); }

void Hdf5::close(Word handle) {
  if (Hdf5Object* object = at(handle); object != nullptr && !object->fixed && --object->users == 0)
    *object = Hdf5Object{};
}

Hdf5Node* Hdf5::node(const Location& location) {
  constexpr int kMostLinks = 16;
  std::string path = location.second;
  for (int links = 0; links < kMostLinks; ++links) {
    std::size_t end = 0;
    bool moved = false;
    while (!moved && end < path.size()) {  // each step may be a link
      end = std::min(path.find('/', end + 1), path.size());
      const auto found = nodes.find({location.first, path.substr(0, end)});
      if (found == nodes.end()) continue;
      if (end == path.size() && found->second.link.empty()) return &found->second;
      if (found->second.link.empty()) continue;
      path = hdf5_path(found->second.link, path.substr(end));
      moved = true;
    }
    if (!moved) return nullptr;
  }
  return nullptr;
}

bool Hdf5::in_use(std::uint32_t file) const {
  return std::ranges::any_of(objects, [&](const Hdf5Object& one) {
    const bool lies_in_file = one.kind == Hdf5Kind::kFile || one.kind == Hdf5Kind::kGroup ||
                              one.kind == Hdf5Kind::kDataset || one.kind == Hdf5Kind::kAttribute;
    return one.users > 0 && lies_in_file && one.file == file;
  });
}

void Hdf5::clear(std::uint32_t file) {
  nodes.erase(nodes.lower_bound({file, ""}), nodes.lower_bound({file + 1, ""}));
  nodes[{file, "/"}] = Hdf5Node{};
  files[file] = true;
}

std::vector<std::string> Hdf5::children(const Location& group) const {
  const std::string prefix = group.second == "/" ? "/" : group.second + "/";
  std::vector<std::string> names;
  for (auto one = nodes.lower_bound({group.first, prefix}); one != nodes.end(); ++one) {
    const auto& [file, path] = one->first;
    if (file != group.first || !path.starts_with(prefix)) break;
    if (path.size() > prefix.size() && path.find('/', prefix.size()) == std::string::npos)
      names.push_back(path.substr(prefix.size()));
  }
  return names;
}

void Hdf5::numbers(std::vector<Word>& out) const {
  for (const Hdf5Object& one : objects) {
    if (one.users == 0 || one.fixed) continue;
    if (one.kind == Hdf5Kind::kSpace) {
      out.push_back(one.space.selection.points);
      out.insert(out.end(), one.space.selection.start.begin(), one.space.selection.start.end());
      out.insert(out.end(), one.space.extent.begin(), one.space.extent.end());
    }
    if (one.kind != Hdf5Kind::kDataset) continue;
    const auto there = nodes.find({one.file, one.path});
    if (there != nodes.end())
      out.insert(out.end(), there->second.space.extent.begin(), there->second.space.extent.end());
  }
}

void Hdf5::step(const std::vector<Word>& steps, std::size_t at, Word iterations) {
  const auto move = [&](std::vector<Word>& values) {
    for (Word& value : values) value += steps[at++] * iterations;
  };
  for (Hdf5Object& one : objects) {
    if (one.users == 0 || one.fixed) continue;
    if (one.kind == Hdf5Kind::kSpace) {
      one.space.selection.points += steps[at++] * iterations;
      move(one.space.selection.start);
      move(one.space.extent);
    }
    if (one.kind != Hdf5Kind::kDataset) continue;
    if (const auto there = nodes.find({one.file, one.path}); there != nodes.end()) move(there->second.space.extent);
  }
}

}  // namespace trikal::predict
