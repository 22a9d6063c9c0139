#include "predict/world/world.hpp"

#include <algorithm>

namespace trikal::predict {
namespace {

constexpr Word kStreams = Word{1} << 49;  // addresses of FILE objects
constexpr Word kStreamBytes = 512;

}  // namespace

std::uint32_t World::standard(std::string_view name) {
  const auto [found, fresh] = names_.try_emplace(std::string(name), static_cast<std::uint32_t>(files.size()));
  if (fresh) {
    File file;
    file.name = name;
    file.exists = file.standard = file.looked_up = true;
    file.size_known = false;
    files.push_back(std::move(file));
  }
  return found->second;
}

Hdf5& World::change_hdf5() {
  if (hdf5_.use_count() > 1) hdf5_ = std::make_shared<Hdf5>(*hdf5_);
  return *hdf5_;
}

NetCdf& World::netcdf() {
  if (netcdf_.use_count() > 1) netcdf_ = std::make_shared<NetCdf>(*netcdf_);
  return *netcdf_;
}

int World::free_slot(int least) {
  auto slot = static_cast<std::size_t>(least);
  while (slot < table.size() && table[slot] >= 0) ++slot;
  if (slot >= table.size()) table.resize(slot + 1, -1);
  return static_cast<int>(slot);
}

int World::open(std::uint32_t file) {
  const int slot = free_slot();
  auto entry = std::ranges::find_if(opened, [](const Opened& one) { return one.users == 0; });
  if (entry == opened.end()) entry = opened.emplace(opened.end());
  *entry = Opened{};
  entry->file = file;
  entry->users = 1;
  entry->descriptor = slot;
  table[static_cast<std::size_t>(slot)] = static_cast<int>(entry - opened.begin());
  files[file].opened = true;
  return slot;
}

int World::duplicate(int descriptor, int least) {
  if (at(descriptor) == nullptr) return -1;
  const int slot = free_slot(least);
  const int shared = table[static_cast<std::size_t>(descriptor)];
  table[static_cast<std::size_t>(slot)] = shared;
  ++opened[static_cast<std::size_t>(shared)].users;
  return slot;
}

bool World::duplicate_onto(int descriptor, int onto) {
  if (at(descriptor) == nullptr) return false;
  if (descriptor == onto) return true;
  close(onto);
  return duplicate(descriptor, onto) == onto;
}

Opened* World::at(int descriptor) {
  if (descriptor < 0 || static_cast<std::size_t>(descriptor) >= table.size()) return nullptr;
  const int slot = table[static_cast<std::size_t>(descriptor)];
  if (slot < 0) return nullptr;
  Opened& one = opened[static_cast<std::size_t>(slot)];
  meet(one.file);
  return &one;
}

bool World::close(int descriptor) {
  Opened* one = at(descriptor);
  if (one == nullptr) return false;
  --one->users;
  table[static_cast<std::size_t>(descriptor)] = -1;
  return true;
}

int World::hold(int descriptor) {
  Opened* one = at(descriptor);
  if (one == nullptr) return -1;
  ++one->users;
  return static_cast<int>(one - opened.data());
}

Opened* World::held(int slot) {
  return slot >= 0 && static_cast<std::size_t>(slot) < opened.size() ? &opened[static_cast<std::size_t>(slot)]
                                                                     : nullptr;
}

void World::release(int slot) {
  if (Opened* one = held(slot); one != nullptr && one->users > 0) --one->users;
}

Word World::make_stream(int descriptor) {
  Opened* one = at(descriptor);
  if (one == nullptr) return 0;
  one->stream = true;
  one->address = kStreams + static_cast<Word>(table[static_cast<std::size_t>(descriptor)]) * kStreamBytes;
  return one->address;
}

Opened* World::stream(Word address) {
  if (address < kStreams) return nullptr;
  const Word slot = (address - kStreams) / kStreamBytes;
  if (slot >= opened.size() || opened[slot].users == 0 || opened[slot].address != address) return nullptr;
  meet(opened[slot].file);
  return &opened[slot];
}

bool World::close_stream(Word address) {
  Opened* one = stream(address);
  if (one != nullptr && one->descriptor < 0) return --one->users, true;  // into memory
  return one != nullptr && close(one->descriptor);
}

bool World::has_writer(std::uint32_t file) const {
  return std::ranges::any_of(opened,
                             [file](const Opened& one) { return one.users > 0 && one.file == file && one.writes; });
}

Word World::take(Word bytes) {
  constexpr Word kApart = 64;
  const Word whole = (bytes + 2 * kApart - 1) / kApart * kApart;
  std::vector<Word>& free = free_[whole];
  Word address = heap;
  if (!free.empty()) {
    address = free.back();
    free.pop_back();
  } else {
    heap += whole;
  }
  sizes_[address] = bytes;
  live += bytes;
  most_live = std::max(most_live, live);
  return address;
}

void World::give_back(Word address) {
  constexpr Word kApart = 64;
  const auto found = sizes_.find(address);
  if (found == sizes_.end()) return;
  free_[(found->second + 2 * kApart - 1) / kApart * kApart].push_back(address);
  live -= found->second;
  sizes_.erase(found);
}

std::optional<Word> World::size_at(Word address) const {
  const auto found = sizes_.find(address);
  return found == sizes_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::pair<Word, Word>> World::block_around(Word address) const {
  auto found = sizes_.upper_bound(address);
  if (found == sizes_.begin() || (--found)->first + found->second <= address) return std::nullopt;
  return *found;
}

void World::numbers(std::vector<Word>& out) const {
  out.clear();
  out.push_back(heap);
  out.push_back(ticks);
  out.push_back(children);
  out.push_back(random.taken());
  out.push_back(random.taken_48());
  out.push_back(live);
  for (const auto& [address, buffer] : buffers) out.push_back(buffer.pending), out.push_back(buffer.left);
  for (const auto& [number, unit] : units)
    out.insert(out.end(), {unit.begin, unit.active, unit.dirty, unit.position, unit.length, unit.ahead});
  for (const FortranStatement& one : statements) {
    out.insert(out.end(), {one.length, one.column, one.left, one.record_now, one.cursor.left});
    for (const auto& [begin, left] : one.cursor.groups) out.push_back(left);
  }
  for (const Opened& one : opened) {
    out.push_back(one.users > 0 ? one.position : 0);
    out.push_back(one.users > 0 ? files[one.file].last_read : 0);
    out.push_back(one.users > 0 ? files[one.file].last_written : 0);
  }
  netcdf_->numbers(out);
  hdf5_->numbers(out);
}

constexpr std::size_t kFirstBuffer = 6;  // of the numbers

bool World::forgets_text(const std::vector<Word>& steps, double iterations) const {
  std::size_t at = kFirstBuffer;
  for (const auto& [address, buffer] : buffers) {
    const double more = iterations * static_cast<double>(steps[at]);
    if (buffer.known && steps[at] != 0 && static_cast<double>(buffer.text.size()) + more <= kKeptContent) return true;
    at += 2;
  }
  const auto kept = [&](bool known, std::size_t length, std::size_t number) {
    const double more = iterations * static_cast<double>(static_cast<std::int64_t>(steps[number]));
    return known && steps[number] != 0 && static_cast<double>(length) + more <= kKeptContent;
  };
  constexpr std::size_t kDirty = 2, kUnit = 6, kStatement = 5;
  for (const auto& [number, unit] : units) {
    if (kept(unit.writing && unit.text.size() >= unit.dirty, unit.dirty, at + kDirty)) return true;
    at += kUnit;
  }
  for (const FortranStatement& one : statements) {
    if (kept(one.known && one.text.size() >= one.length, one.length, at)) return true;
    at += kStatement + one.cursor.groups.size();
  }
  return false;
}

void World::add(const std::vector<Word>& steps, Word iterations) {
  heap += steps[0] * iterations;
  ticks += steps[1] * iterations;
  children += steps[2] * iterations;
  random.skip(steps[3] * iterations, steps[4] * iterations);
  live += steps[5] * iterations;
  most_live = std::max(most_live, live);
  std::size_t at = kFirstBuffer;
  for (auto& [address, buffer] : buffers) {
    buffer.pending += steps[at++] * iterations;
    buffer.left += steps[at++] * iterations;
    buffer.known = false;
  }
  for (auto& [number, unit] : units) {
    if (steps[at + 2] != 0) unit.extrapolated = true;
    for (Word* one : {&unit.begin, &unit.active, &unit.dirty, &unit.position, &unit.length, &unit.ahead}) {
      if (steps[at] != 0) unit.text.clear();
      *one += steps[at++] * iterations;
    }
  }
  for (FortranStatement& one : statements) {
    if (steps[at] != 0) one.known = false, one.text.clear();
    for (Word* number : {&one.length, &one.column, &one.left, &one.record_now, &one.cursor.left})
      *number += steps[at++] * iterations;
    for (auto& [begin, left] : one.cursor.groups) left += steps[at++] * iterations;
  }
  for (std::size_t i = 0; i < opened.size(); ++i, at += 3) {
    opened[i].position += steps[at] * iterations;
    if (opened[i].users == 0) continue;
    files[opened[i].file].last_read += steps[at + 1] * iterations;
    files[opened[i].file].last_written += steps[at + 2] * iterations;
  }
  if (!netcdf_->files.empty()) at = netcdf().step(steps, at, iterations);
  if (std::any_of(steps.begin() + static_cast<std::ptrdiff_t>(at), steps.end(), [](Word one) { return one != 0; }))
    change_hdf5().step(steps, at, iterations);
}

}  // namespace trikal::predict
