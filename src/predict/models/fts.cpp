// fts: a tree of folders as a list of entries, each of which is told before and behind what is in it. All of it is gone
// through when it is opened; what the program removes on its way was told before.

#include <fts.h>
#include <sys/stat.h>

#include <cerrno>
#include <filesystem>

#include "predict/models/folders.hpp"
#include "predict/models/list.hpp"
#include "predict/models/names.hpp"
#include "predict/models/streams.hpp"

namespace trikal::predict {
namespace {

// A handle: the next of the steps, all of them, how many, the options, and where the program was.
constexpr Word kNext = 0, kSteps = 8, kCount = 16, kOptions = 24, kRoots = 32, kBefore = 40,
               kHandleBytes = 4096 + kBefore;
// A step: the entry, what is said of it, the step that comes when it is not gone into, and the first entry in it.
constexpr Word kStepBytes = 32;
struct Step {
  Word entry = 0, info = 0, skipped_to = 0, first = 0;
};
constexpr std::size_t kMostSteps = 200'000;

class Tree {
 public:
  Tree(Machine& machine, const Call& call, Word options, Value order)
      : machine_(machine), call_(call), options_(options), order_(order) {}

  // What is in `entries`, in their order.
  void add(const std::vector<Word>& entries) {
    for (const Word entry : entries) add(entry);
  }
  // An entry that is not yet part of the tree.
  Word make(const std::string& path, const std::string& name, Word parent, int level) {
    const std::string full = machine_.world.full_name(path);
    const std::string link = machine_.world.link_at(full);
    const bool follows = (options_ & FTS_LOGICAL) != 0 || (level == 0 && (options_ & FTS_COMFOLLOW) != 0);
    const std::uint32_t number = machine_.world.file_named(full);
    const bool exists = machine_.world.files[number].exists, folder = machine_.world.files[number].directory;
    const bool as_link = !link.empty() && (!follows || !exists);
    const Word entry = machine_.world.take(sizeof(FTSENT) + name.size() + 1),
               text = machine_.world.take(path.size() + 1);
    const Word status = machine_.world.take(sizeof(struct stat));
    if (exists || !link.empty()) put_stat(machine_, call_, Value::of(status), number, as_link ? link : "");
    machine_.memory.write(text, path.c_str(), path.size() + 1);
    FTSENT out{};
    out.fts_errno = exists || !link.empty() ? 0 : why_missing(machine_, full);
    out.fts_pathlen = static_cast<unsigned short>(path.size()),
    out.fts_namelen = static_cast<unsigned short>(name.size());
    out.fts_level = static_cast<short>(level);
    out.fts_info = !exists && link.empty() ? FTS_NS : as_link ? follows ? FTS_SLNONE : FTS_SL : folder ? FTS_D : FTS_F;
    out.fts_nlink = 1;
    out.fts_instr = 3;  // none
    machine_.memory.write(entry, &out, offsetof(FTSENT, fts_name));
    machine_.memory.write(entry + offsetof(FTSENT, fts_name), name.c_str(), name.size() + 1);
    const auto set = [&](std::size_t at, Word value) { machine_.memory.store(entry + at, 8, Value::of(value)); };
    set(offsetof(FTSENT, fts_parent), parent);
    set(offsetof(FTSENT, fts_path), text);
    set(offsetof(FTSENT, fts_accpath),
        (options_ & FTS_NOCHDIR) != 0 || level == 0 ? text : entry + offsetof(FTSENT, fts_name));
    set(offsetof(FTSENT, fts_statp), status);
    return entry;
  }
  // In the order that the program wants; each leads to the next.
  void sort(std::vector<Word>& entries) {
    const Word table = machine_.world.take(8 * entries.size() + 8);
    for (std::size_t i = 0; i < entries.size(); ++i) machine_.memory.store(table + 8 * i, 8, Value::of(entries[i]));
    if (order_.bits != 0) sort_elements(machine_, call_, {table, entries.size(), 8}, order_);
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const Value entry = machine_.memory.load(table + 8 * i, 8);
      if (!entry.known()) unclear = true;
      else entries[i] = entry.bits;
    }
    for (std::size_t i = 0; i + 1 < entries.size(); ++i)
      machine_.memory.store(entries[i] + offsetof(FTSENT, fts_link), 8, Value::of(entries[i + 1]));
    machine_.world.give_back(table);
  }

  std::vector<Step> steps;
  bool unclear = false;

 private:
  void add(Word entry) {
    const auto info = machine_.memory.load(entry + offsetof(FTSENT, fts_info), 2).bits;
    const std::size_t own = steps.size();
    steps.push_back({entry, info, own + 1, 0});
    if (steps.size() > kMostSteps) unclear = true;
    if (info != FTS_D || unclear) return;
    std::string path;
    (void)machine_.memory.text(machine_.memory.load(entry + offsetof(FTSENT, fts_path), 8).bits, path);
    const auto level = static_cast<int>(machine_.memory.load(entry + offsetof(FTSENT, fts_level), 2).bits);
    std::vector<Word> within;
    for (const FolderEntry& one : listed_entries(machine_, machine_.world.full_name(path)))
      if (one.name != "." && one.name != "..")
        within.push_back(make(path + (path.ends_with('/') ? "" : "/") + one.name, one.name, entry, level + 1));
    sort(within);
    steps[own].first = within.empty() ? 0 : within.front();
    add(within);
    steps[own].skipped_to = steps.size();
    steps.push_back({entry, FTS_DP, steps.size() + 1, 0});
  }

  Machine& machine_;
  const Call& call_;
  Word options_;
  Value order_;
};

void open_model(Machine& machine, Call& call) {  // names, options, order
  const Value names = call.argument(0), order = call.argument(2);
  if (!names.known() || !call.argument(1).known() || !order.known())
    return call.returns(machine.unknown(call.at, "a tree of folders"));
  Word options = call.argument(1).bits;
  if ((options & FTS_LOGICAL) != 0) options |= FTS_NOCHDIR;
  Tree tree(machine, call, options, order);
  std::vector<Word> roots;
  for (Word at = names.bits;; at += 8) {
    const Value name = machine.memory.load(at, 8);
    std::string path;
    if (name.known() && name.bits == 0) break;
    if (!name.known() || !machine.memory.text(name.bits, path))
      return call.returns(machine.unknown(call.at, "a tree of folders"));
    const std::size_t slash = path.rfind('/');
    roots.push_back(
        tree.make(path, slash == std::string::npos || slash + 1 == path.size() ? path : path.substr(slash + 1), 0, 0));
  }
  if (order.bits != 0) tree.sort(roots);
  tree.add(roots);
  if (tree.unclear) {
    machine.note("a tree of folders is too large to be followed, or in an order that is not known");
    return call.returns(machine.unknown(call.at, "a tree of folders"));
  }
  const Word steps = machine.world.take(kStepBytes * tree.steps.size() + 8), handle = machine.world.take(kHandleBytes);
  machine.memory.write(steps, tree.steps.data(), kStepBytes * tree.steps.size());
  machine.memory.fill(handle, kHandleBytes, 0);
  machine.memory.store(handle + kSteps, 8, Value::of(steps));
  machine.memory.store(handle + kCount, 8, Value::of(Word{tree.steps.size()}));
  machine.memory.store(handle + kOptions, 8, Value::of(options));
  machine.memory.store(handle + kRoots, 8, Value::of(roots.empty() ? 0 : roots.front()));
  machine.memory.write(handle + kBefore, machine.world.here.c_str(), machine.world.here.size() + 1);
  call.returns(Value::of(handle));
}

bool handle_at(Machine& machine, Call& call, Word& handle) {
  if (!call.argument(0).known()) return call.returns(machine.unknown(call.at, "an entry of a tree of folders")), false;
  handle = call.argument(0).bits;
  return true;
}
Step step_at(const Machine& machine, Word handle, Word number) {
  Step step;
  (void)machine.memory.read(machine.memory.load(handle + kSteps, 8).bits + kStepBytes * number, &step, sizeof step);
  return step;
}

// Unless it was told to stay, the program is in the folder that the entry is in.
void go(Machine& machine, Word handle, Word entry) {
  std::string before, path;
  if ((machine.memory.load(handle + kOptions, 8).bits & FTS_NOCHDIR) != 0) return;
  (void)machine.memory.text(handle + kBefore, before);
  machine.world.here = before;
  if (entry == 0 || machine.memory.load(entry + offsetof(FTSENT, fts_level), 2).bits == 0) return;
  (void)machine.memory.text(machine.memory.load(entry + offsetof(FTSENT, fts_path), 8).bits, path);
  machine.world.here =
      std::filesystem::path(machine.world.real_name(World::full_name(before, path), false)).parent_path().string();
}

void read_model(Machine& machine, Call& call) {
  Word handle = 0;
  if (!handle_at(machine, call, handle)) return;
  Word number = machine.memory.load(handle + kNext, 8).bits;
  if (number > 0) {
    const Step last = step_at(machine, handle, number - 1);
    const Word wish = machine.memory.load(last.entry + offsetof(FTSENT, fts_instr), 2).bits;
    if (wish == FTS_SKIP) number = last.skipped_to;
    else if (wish == FTS_AGAIN || wish == FTS_FOLLOW)
      machine.note("fts_set with FTS_AGAIN or FTS_FOLLOW is not followed");
    machine.memory.store(last.entry + offsetof(FTSENT, fts_instr), 2, Value::of(Word{3}));
  }
  machine.wrote_text(call, number, 0);  // no iteration of a loop over them is like the one before
  if (number >= machine.memory.load(handle + kCount, 8).bits) {
    go(machine, handle, 0);
    return fail_pointer(machine, call, 0);
  }
  const Step step = step_at(machine, handle, number);
  machine.memory.store(handle + kNext, 8, Value::of(number + 1));
  machine.memory.store(step.entry + offsetof(FTSENT, fts_info), 2, Value::of(step.info));
  go(machine, handle, step.entry);
  call.returns(Value::of(step.entry));
}

void children_model(Machine& machine, Call& call) {
  Word handle = 0;
  if (!handle_at(machine, call, handle)) return;
  const Word number = machine.memory.load(handle + kNext, 8).bits;
  const Word first =
      number == 0 ? machine.memory.load(handle + kRoots, 8).bits : step_at(machine, handle, number - 1).first;
  if (first == 0) return fail_pointer(machine, call, 0);
  call.returns(Value::of(first));
}
void set_model(Machine& machine, Call& call) {
  if (call.argument(1).known() && call.argument(2).known())
    machine.memory.store(call.argument(1).bits + offsetof(FTSENT, fts_instr), 2, call.argument(2));
}
void close_model(Machine& machine, Call& call) {
  Word handle = 0;
  if (!handle_at(machine, call, handle)) return;
  go(machine, handle, 0);
  machine.world.give_back(machine.memory.load(handle + kSteps, 8).bits);
  machine.world.give_back(handle);
}

constexpr NamedModel kFtsModels[] = {
    {"fts_open", open_model},     {"fts_read", read_model},   {"fts_children", children_model},
    {"fts_set", set_model},       {"fts_close", close_model}, {"fts64_open", open_model},
    {"fts64_read", read_model},   {"fts64_set", set_model},   {"fts64_children", children_model},
    {"fts64_close", close_model},
};

}  // namespace

std::span<const NamedModel> fts_models() { return kFtsModels; }

}  // namespace trikal::predict
