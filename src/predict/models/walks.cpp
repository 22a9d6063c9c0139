// Trees of folders and patterns of names: ftw, nftw, glob and fnmatch.

#include <dirent.h>
#include <ftw.h>
#include <glob.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <set>

#include "predict/models/folders.hpp"
#include "predict/models/list.hpp"
#include "predict/models/names.hpp"
#include "predict/models/streams.hpp"

namespace trikal::predict {
namespace {

constexpr Word kPathBytes = 4096;

// Goes through a tree as libc does, which calls a function of the program for each file.
class TreeWalk {
 public:
  TreeWalk(Machine& machine, const Call& call, bool plain, Word flags)
      : machine_(machine), call_(call), plain_(plain), flags_(flags), before_(machine.world.here) {
    path_ = machine.world.take(kPathBytes);
    stat_ = machine.world.take(sizeof(struct stat));
    ftw_ = machine.world.take(sizeof(FTW));
  }
  ~TreeWalk() {
    for (const Word one : {path_, stat_, ftw_}) machine_.world.give_back(one);
    machine_.world.here = before_;
  }
  TreeWalk(const TreeWalk&) = delete;
  TreeWalk& operator=(const TreeWalk&) = delete;

  // What the function said where that ended the walk, or 0.
  Word visit(const std::string& path, Word base, Word level) {
    const std::string full = World::full_name(before_, path);
    const std::string link = machine_.world.link_at(full);
    const bool follows = (flags_ & FTW_PHYS) == 0;
    const std::uint32_t number = machine_.world.file_named(full);
    const bool there = machine_.world.files[number].exists;
    if (!link.empty() && !follows) return tell(path, full, number, link, FTW_SL, base, level);
    if (!there && !link.empty()) return tell(path, full, number, link, plain_ ? FTW_NS : FTW_SLN, base, level);
    if (!machine_.world.files[number].directory) return tell(path, full, number, "", FTW_F, base, level);
    if (follows && !seen_.insert(machine_.world.real_name(full)).second) return 0;
    return enter(path, full, number, base, level);
  }
  [[nodiscard]] bool unclear() const { return unclear_; }

 private:
  Word enter(const std::string& path, const std::string& full, std::uint32_t number, Word base, Word level) {
    const bool deep_first = (flags_ & FTW_DEPTH) != 0;
    Word said = deep_first ? 0 : tell(path, full, number, "", FTW_D, base, level);
    if (said != 0) return acts() && said == FTW_SKIP_SUBTREE ? 0 : said;
    const std::string within = path.ends_with('/') ? path : path + "/";
    for (const FolderEntry& one : listed_entries(machine_, full)) {
      if (one.name == "." || one.name == "..") continue;
      said = visit(within + one.name, within.size(), level + 1);
      if (acts() && said == FTW_SKIP_SIBLINGS) break;
      if (said != 0) return said;
    }
    return deep_first ? tell(path, full, number, "", FTW_DP, base, level) : 0;
  }

  Word tell(const std::string& path, const std::string& full, std::uint32_t number, const std::string& link, int type,
            Word base, Word level) {
    machine_.memory.write(path_, path.c_str(), path.size() + 1);
    put_stat(machine_, call_, Value::of(stat_), number, link);
    std::vector<Value> arguments = {Value::of(path_), Value::of(stat_), Value::of(static_cast<Word>(type))};
    if (!plain_) {
      machine_.memory.store(ftw_, 4, Value::of(base));
      machine_.memory.store(ftw_ + 4, 4, Value::of(level));
      arguments.push_back(Value::of(ftw_));
    }
    if ((flags_ & FTW_CHDIR) != 0) machine_.world.here = std::filesystem::path(full).parent_path().string();
    const std::vector<Value> said = machine_.invoke(call_.argument(1).bits, arguments, call_);
    unclear_ = unclear_ || said.empty() || !said[0].known();
    return said.empty() || !said[0].known() ? 0 : lowest(said[0].bits, 32);
  }
  [[nodiscard]] bool acts() const { return (flags_ & FTW_ACTIONRETVAL) != 0; }

  Machine& machine_;
  const Call& call_;
  bool plain_;  // ftw: the function gets no FTW
  Word flags_;
  std::string before_;
  Word path_ = 0, stat_ = 0, ftw_ = 0;
  std::set<std::string> seen_;
  bool unclear_ = false;
};

template <bool Plain>
void walk_model(Machine& machine, Call& call) {
  std::string root;
  const Value function = call.argument(1), flags = Plain ? Value::of(Word{0}) : call.argument(3);
  if (!text_argument(machine, call, 0, root) || !function.known() || !flags.known()) {
    machine.note("a tree of folders is gone through which is not known");
    return call.returns(machine.unknown(call.at, "what was found in a tree of folders"));
  }
  while (root.size() > 1 && root.ends_with('/')) root.pop_back();
  const std::string full = machine.world.full_name(root);
  const bool link = !machine.world.link_at(full).empty();
  if (const int error = why_missing(machine, full); error != 0 && !link) return fail(machine, call, error);
  const std::size_t slash = root.rfind('/');
  TreeWalk walk(machine, call, Plain, flags.bits);
  const Word said = walk.visit(root, slash == std::string::npos ? 0 : slash + 1, 0);
  if (walk.unclear()) return call.returns(machine.unknown(call.at, "what a function said about a file"));
  call.returns(Value::of(said));
}

// The library's own glob looks into folders by these.
struct Listing {
  std::vector<FolderEntry> entries;
  std::size_t next = 0;
  dirent now{};
};
Machine* looking = nullptr;  // for whom: the functions below get no word of that

std::uint32_t looked_at(const char* name) { return looking->world.file_named(looking->world.full_name(name)); }
void* open_listing(const char* name) {
  const File& file = looking->world.files[looked_at(name)];
  errno = file.exists ? ENOTDIR : ENOENT;
  return file.exists && file.directory ? new Listing{listed_entries(*looking, file.name)} : nullptr;
}
dirent* next_of(void* at) {
  auto& list = *static_cast<Listing*>(at);
  if (list.next >= list.entries.size()) return nullptr;
  const FolderEntry& entry = list.entries[list.next++];
  list.now = {};
  list.now.d_ino = 1;
  list.now.d_type = DT_UNKNOWN;
  entry.name.copy(list.now.d_name, sizeof list.now.d_name - 1);
  return &list.now;
}
void close_listing(void* at) { delete static_cast<Listing*>(at); }
template <bool Follow>
int kind_of(const char* name, struct stat* told) {
  const bool link = !looking->world.link_at(looking->world.full_name(name)).empty();
  const File& file = looking->world.files[looked_at(name)];
  *told = {};
  told->st_mode = link && !Follow ? S_IFLNK : file.directory ? S_IFDIR : S_IFREG;
  if (file.exists || (link && !Follow)) return 0;
  errno = ENOENT;
  return -1;
}

void glob_model(Machine& machine, Call& call) {  // pattern, flags, on_error, result
  constexpr Word kOurs = GLOB_APPEND | GLOB_DOOFFS;
  std::string pattern;
  const Value flags = call.argument(1), out = call.argument(3);
  if (!text_argument(machine, call, 0, pattern) || !flags.known() || !out.known() ||
      (flags.bits & GLOB_ALTDIRFUNC) != 0) {
    machine.note("a pattern of names is followed which is not known");
    machine.forget_behind(call, out, "the names that fit a pattern");
    return call.returns(machine.unknown(call.at, "how many names fit a pattern"));
  }
  glob_t found{};
  found.gl_opendir = open_listing, found.gl_readdir = next_of, found.gl_closedir = close_listing;
  found.gl_stat = kind_of<true>, found.gl_lstat = kind_of<false>;
  looking = &machine;
  const int said = ::glob(pattern.c_str(), static_cast<int>(flags.bits & ~kOurs) | GLOB_ALTDIRFUNC, nullptr, &found);
  looking = nullptr;
  const Word offset = (flags.bits & GLOB_DOOFFS) != 0 ? machine.memory.load(out.bits + 16, 8).bits : 0;
  std::vector<Word> names;
  if ((flags.bits & GLOB_APPEND) != 0) {
    const Word count = machine.memory.load(out.bits, 8).bits, old = machine.memory.load(out.bits + 8, 8).bits;
    for (Word i = 0; i < count; ++i) names.push_back(machine.memory.load(old + 8 * (offset + i), 8).bits);
    machine.world.give_back(old);
  }
  for (std::size_t i = 0; said == 0 && i < found.gl_pathc; ++i) {
    const std::string name = found.gl_pathv[i];
    names.push_back(machine.world.take(name.size() + 1));
    machine.memory.write(names.back(), name.c_str(), name.size() + 1);
  }
  if (said == 0) ::globfree(&found);
  const Word table = machine.world.take(8 * (offset + names.size() + 1));
  machine.memory.fill(table, 8 * (offset + names.size() + 1), 0);
  for (std::size_t i = 0; i < names.size(); ++i) machine.memory.store(table + 8 * (offset + i), 8, Value::of(names[i]));
  machine.memory.store(out.bits, 8, Value::of(Word{names.size()}));
  machine.memory.store(out.bits + 8, 8, Value::of(names.empty() ? 0 : table));
  call.returns(Value::of(static_cast<Word>(said)));
}
void globfree_model(Machine& machine, Call& call) {
  const Value out = call.argument(0);
  if (!out.known()) return;
  const Value table = machine.memory.load(out.bits + 8, 8);
  if (table.known() && table.bits != 0) machine.world.give_back(table.bits);
  machine.memory.store(out.bits, 8, Value::of(Word{0}));
  machine.memory.store(out.bits + 8, 8, Value::of(Word{0}));
}

constexpr NamedModel kWalksModels[] = {
    {"ftw", walk_model<true>},     {"ftw64", walk_model<true>},    {"nftw", walk_model<false>},
    {"nftw64", walk_model<false>}, {"glob", glob_model},           {"glob64", glob_model},
    {"globfree", globfree_model},  {"globfree64", globfree_model},
};

}  // namespace

std::span<const NamedModel> walk_models() { return kWalksModels; }

}  // namespace trikal::predict
