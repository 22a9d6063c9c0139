// std::filesystem's iterators over folders, and what removes whole trees. An iterator is a shared pointer: {object, count
// of users}, and equal to the end where it has none; copies are made by the headers.

#include <cerrno>
#include <filesystem>

#include "predict/models/cpp.hpp"
#include "predict/models/cpp_exceptions.hpp"
#include "predict/models/cpp_paths.hpp"
#include "predict/models/list.hpp"
#include "predict/models/streams.hpp"
#include "predict/world/folder.hpp"

namespace trikal::predict {
namespace {

// The object: how deep it is, whether it will go down, a list of entries for each level, the entry itself, and the count of
// users, which begins so high that nobody is the last one: a virtual function would be called then.
constexpr Word kDepth = 0, kPending = 4, kOptions = 8, kLevels = 16, kMostLevels = 64,
               kEntry = kLevels + 8 * kMostLevels, kKindInEntry = kPathBytes, kUsers = kEntry + kPathBytes + 8,
               kUserCount = kUsers + 8, kWalkBytes = kUsers + 16, kManyUsers = 1 << 20;
// A list: where the next entry is, how many are left, the folder's number, and then one byte and a path for each.
constexpr Word kNext = 0, kLeft = 8, kFolder = 16, kFirst = 24;
constexpr Word kFollowsLinks = 1;  // directory_options::follow_directory_symlink

class Walk {
 public:
  Walk(Machine& machine, const Call& call, Word object) : machine_(machine), call_(call), object_(object) {}

  static Walk make(Machine& machine, const Call& call, Word options) {
    const Word object = machine.world.take(kWalkBytes);
    machine.memory.fill(object, kWalkBytes, 0);
    machine.memory.store(object + kOptions, 4, Value::of(options));
    machine.memory.store(object + kPending, 4, Value::of(Word{1}));
    machine.memory.store(object + kUserCount, 4, Value::of(kManyUsers));
    machine.memory.store(object + kUserCount + 4, 4, Value::of(kManyUsers));
    make_path(machine, call, object + kEntry, "");
    return {machine, call, object};
  }
  [[nodiscard]] Word object() const { return object_; }
  [[nodiscard]] Word depth() const { return word(kDepth); }
  [[nodiscard]] bool pending() const { return word(kPending) != 0; }
  void set_pending(bool pending) { machine_.memory.store(object_ + kPending, 4, Value::of(Word{pending})); }
  [[nodiscard]] Word options() const { return word(kOptions); }

  // The entries of a folder as the level with that number.
  void enter(const std::string& folder, Word level) {
    const std::vector<FolderEntry> entries = entries_of(machine_.world, machine_.world.full_name(folder));
    const std::uint32_t number = machine_.world.file_named(machine_.world.full_name(folder));
    machine_.access(call_, {Operation::kOpen, number});
    std::string text;
    for (const FolderEntry& one : entries) {
      text += static_cast<char>(one.kind);
      text += (std::filesystem::path(folder) / one.name).string() + '\0';
    }
    const Word list = machine_.world.take(kFirst + text.size() + 1);
    machine_.memory.store(list + kNext, 8, Value::of(list + kFirst));
    machine_.memory.store(list + kLeft, 8, Value::of(Word{entries.size()}));
    machine_.memory.store(list + kFolder, 8, Value::of(Word{number}));
    machine_.memory.write(list + kFirst, text.data(), text.size());
    machine_.memory.store(object_ + kLevels + 8 * level, 8, Value::of(list));
    machine_.memory.store(object_ + kDepth, 4, Value::of(level));
  }

  // The next entry, where there is one on this level or above.
  bool advance() {
    while (!next())
      if (!leave_level()) return false;
    set_pending(true);
    return true;
  }
  // False: it was the last one.
  bool leave_level() {
    const Word folder = machine_.memory.load(list() + kFolder, 8).bits;
    machine_.access(call_, {Operation::kClose, static_cast<std::uint32_t>(folder)});
    machine_.world.give_back(list());
    if (depth() == 0) return false;
    machine_.memory.store(object_ + kDepth, 4, Value::of(depth() - 1));
    return true;
  }
  // Into the folder that it stands on.
  void go_down() {
    const auto kind = static_cast<EntryKind>(machine_.memory.load(object_ + kEntry + kKindInEntry, 1).bits);
    std::string path;
    if (!read_string(machine_, Value::of(object_ + kEntry), path) || depth() + 1 >= kMostLevels) return;
    bool folder = kind == EntryKind::kFolder;
    if (kind == EntryKind::kLink && (options() & kFollowsLinks) != 0)
      folder = machine_.world.files[machine_.world.file_named(machine_.world.full_name(path))].directory;
    if (folder) enter(path, depth() + 1);
  }

 private:
  [[nodiscard]] Word word(Word location) const { return machine_.memory.load(object_ + location, 4).bits; }
  [[nodiscard]] Word list() const { return machine_.memory.load(object_ + kLevels + 8 * depth(), 8).bits; }
  bool next() {
    const Word from = list(), left = machine_.memory.load(from + kLeft, 8).bits,
               at = machine_.memory.load(from + kNext, 8).bits;
    machine_.wrote_text(call_, at,
                        left);  // each entry is another: no iteration of a loop over them is like the one before
    if (left == 0) return false;
    std::string path;
    if (!machine_.memory.text(at + 1, path)) return false;
    machine_.memory.store(object_ + kEntry + kKindInEntry, 1, machine_.memory.load(at, 1));
    change_path(machine_, call_, object_ + kEntry, path);
    machine_.memory.store(from + kLeft, 8, Value::of(left - 1));
    machine_.memory.store(from + kNext, 8, Value::of(at + path.size() + 2));
    return true;
  }

  Machine& machine_;
  const Call& call_;
  Word object_;
};

std::optional<Walk> walk_of(Machine& machine, const Call& call) {
  const Value object = call.argument(0).known() ? machine.memory.load(call.argument(0).bits, 8) : call.argument(0);
  if (!object.known() || object.bits == 0) return std::nullopt;
  return Walk(machine, call, object.bits);
}

void set_iterator(Machine& machine, Word iterator, Word object) {
  machine.memory.store(iterator, 8, Value::of(object));
  machine.memory.store(iterator + 8, 8, Value::of(object == 0 ? 0 : object + kUsers));
}

void say(Machine& machine, Value code, int error) {
  if (code.known() && code.bits != 0) machine.memory.store(code.bits, 4, Value::of(static_cast<Word>(error)));
}

[[noreturn]] void throws(Machine& machine, const Call& call, const std::string& what) {
  throw_standard(machine, call, "NSt10filesystem7__cxx1116filesystem_errorE", "filesystem error: " + what);
}

void construct_model(Machine& machine, Call& call) {  // this, path, options, error
  if (!call.argument(0).known()) return;
  std::string path;
  set_iterator(machine, call.argument(0).bits, 0);
  const Value code = call.argument(3);
  if (!read_string(machine, call.argument(1), path)) {
    machine.note("the folder that std::filesystem goes through is not known");
    const Cause cause = machine.unknown(call.at, "the folder that std::filesystem goes through").cause;
    return machine.memory.forget(call.argument(0).bits, 16, cause);
  }
  const File& folder = machine.world.files[machine.world.file_named(machine.world.full_name(path))];
  const int error = !folder.exists ? ENOENT : folder.directory ? 0 : ENOTDIR;
  say(machine, code, error);
  if (error != 0 && code.known() && code.bits == 0) throws(machine, call, "there is no folder " + path);
  if (error != 0) return;
  Walk walk = Walk::make(machine, call, call.argument(2).bits);
  walk.enter(path, 0);
  if (walk.advance()) set_iterator(machine, call.argument(0).bits, walk.object());
}

template <bool Deep>
void increment_model(Machine& machine, Call& call) {
  auto walk = walk_of(machine, call);
  say(machine, call.argument(1), 0);
  call.returns(call.argument(0));
  if (!walk) return;
  if (Deep && walk->pending()) walk->go_down();
  if (!walk->advance()) set_iterator(machine, call.argument(0).bits, 0);
}
void pop_model(Machine& machine, Call& call) {
  auto walk = walk_of(machine, call);
  say(machine, call.argument(1), 0);
  if (walk && !(walk->leave_level() && walk->advance())) set_iterator(machine, call.argument(0).bits, 0);
}
void entry_model(Machine& machine, Call& call) {
  const auto walk = walk_of(machine, call);
  call.returns(walk ? Value::of(walk->object() + kEntry) : machine.unknown(call.at, "an entry of a folder"));
}
void depth_model(Machine& machine, Call& call) {
  const auto walk = walk_of(machine, call);
  call.returns(walk ? Value::of(walk->depth()) : machine.unknown(call.at, "how deep a folder is"));
}
void pending_model(Machine& machine, Call& call) {
  const auto walk = walk_of(machine, call);
  call.returns(walk ? Value::of(Word{walk->pending()}) : machine.unknown(call.at, "whether a folder is gone into"));
}
void stay_model(Machine& machine, Call& call) {
  if (auto walk = walk_of(machine, call)) walk->set_pending(false);
}
void options_model(Machine& machine, Call& call) {
  const auto walk = walk_of(machine, call);
  call.returns(walk ? Value::of(walk->options()) : machine.unknown(call.at, "options of an iterator"));
}
void assign_model(Machine& machine, Call& call) {
  call.returns(call.argument(0));
  if (call.argument(0).known() && call.argument(1).known())
    machine.memory.copy(call.argument(0).bits, call.argument(1).bits, 16);
}

void look_through(Machine& machine, const Call& call, std::uint32_t folder) {
  machine.access(call, {Operation::kOpen, folder});
  machine.access(call, {Operation::kClose, folder});
}

// What is below first. How many there were. The library looks into a folder again when all that was in it is gone, but
// for the one that it was told to remove.
Word remove_tree(Machine& machine, const Call& call, const std::string& name, bool first = true) {
  const std::uint32_t number = machine.world.file_named(name);
  const bool link = !machine.world.link_at(name).empty();
  if (!machine.world.files[number].exists && !link) return 0;
  Word removed = 1;
  if (machine.world.files[number].directory && !link) {
    look_through(machine, call, number);
    for (const FolderEntry& one : entries_of(machine.world, name))
      removed += remove_tree(machine, call, machine.world.full_name(name + "/" + one.name), false);
    if (removed > 1 && !first) look_through(machine, call, number);
  }
  machine.access(call, {Operation::kRemove, number});
  machine.world.remove(name);
  machine.changed_names(call, number);
  return removed;
}
void remove_all_model(Machine& machine, Call& call) {
  std::string path;
  say(machine, call.argument(1), 0);
  if (!read_string(machine, call.argument(0), path)) {
    machine.note("what std::filesystem::remove_all removes is not known");
    return call.returns(machine.unknown(call.at, "how much was removed"));
  }
  call.returns(Value::of(remove_tree(machine, call, machine.world.full_name(path))));
}

template <bool Code>
void is_empty_model(Machine& machine, Call& call) {
  std::string path;
  if (!read_string(machine, call.argument(0), path))
    return call.returns(machine.unknown(call.at, "whether a file is empty"));
  const std::uint32_t number = machine.world.file_named(machine.world.full_name(path));
  const File& file = machine.world.files[number];
  if (Code) say(machine, call.argument(1), file.exists ? 0 : ENOENT);
  if (!file.exists && !Code) throws(machine, call, "there is no file " + path);
  if (file.exists && file.directory) look_through(machine, call, number);
  else if (file.exists) machine.access(call, {Operation::kStat, number});
  call.returns(
      Value::of(Word{file.directory ? entries_of(machine.world, file.name).empty() : file.exists && file.size == 0}));
}

#define TRIKAL_FLAT "St10filesystem7__cxx1118directory_iterator"
#define TRIKAL_DEEP "St10filesystem7__cxx1128recursive_directory_iterator"
#define TRIKAL_MAKE "ERKNS0_4pathENS_17directory_optionsEPSt10error_code"
#define TRIKAL_PATH "ERKNS_7__cxx114pathE"
#define TRIKAL_CODE "RSt10error_code"
constexpr NamedModel kCppFoldersModels[] = {
    {"_ZN" TRIKAL_FLAT "C1" TRIKAL_MAKE, construct_model},
    {"_ZN" TRIKAL_FLAT "C2" TRIKAL_MAKE, construct_model},
    {"_ZN" TRIKAL_DEEP "C1" TRIKAL_MAKE, construct_model},
    {"_ZN" TRIKAL_DEEP "C2" TRIKAL_MAKE, construct_model},
    {"_ZNK" TRIKAL_FLAT "deEv", entry_model},
    {"_ZNK" TRIKAL_DEEP "deEv", entry_model},
    {"_ZN" TRIKAL_FLAT "ppEv", increment_model<false>},
    {"_ZN" TRIKAL_DEEP "ppEv", increment_model<true>},
    {"_ZN" TRIKAL_FLAT "9incrementE" TRIKAL_CODE, increment_model<false>},
    {"_ZN" TRIKAL_DEEP "9incrementE" TRIKAL_CODE, increment_model<true>},
    {"_ZNK" TRIKAL_DEEP "5depthEv", depth_model},
    {"_ZNK" TRIKAL_DEEP "7optionsEv", options_model},
    {"_ZNK" TRIKAL_DEEP "17recursion_pendingEv", pending_model},
    {"_ZN" TRIKAL_DEEP "25disable_recursion_pendingEv", stay_model},
    {"_ZN" TRIKAL_DEEP "3popEv", pop_model},
    {"_ZN" TRIKAL_DEEP "3popE" TRIKAL_CODE, pop_model},
    {"_ZN" TRIKAL_DEEP "aSERKS1_", assign_model},
    {"_ZN" TRIKAL_DEEP "aSEOS1_", assign_model},
    {"_ZN" TRIKAL_DEEP "D1Ev", succeeds},
    {"_ZN" TRIKAL_DEEP "D2Ev", succeeds},
    {"_ZNSt10filesystem10remove_all" TRIKAL_PATH, remove_all_model},
    {"_ZNSt10filesystem10remove_all" TRIKAL_PATH TRIKAL_CODE, remove_all_model},
    {"_ZNSt10filesystem8is_empty" TRIKAL_PATH, is_empty_model<false>},
    {"_ZNSt10filesystem8is_empty" TRIKAL_PATH TRIKAL_CODE, is_empty_model<true>},
};
#undef TRIKAL_FLAT
#undef TRIKAL_DEEP
#undef TRIKAL_MAKE
#undef TRIKAL_PATH
#undef TRIKAL_CODE

}  // namespace

std::span<const NamedModel> cpp_folder_models() { return kCppFoldersModels; }

}  // namespace trikal::predict
