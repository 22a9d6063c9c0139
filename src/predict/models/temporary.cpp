// Files whose names the library chooses, and streams that become other files.

#include <fcntl.h>

#include <cerrno>
#include <cstdio>

#include "predict/models/descriptors.hpp"
#include "predict/models/list.hpp"
#include "predict/models/names.hpp"
#include "predict/models/streams.hpp"

namespace trikal::predict {
namespace {

constexpr Word kOwnName = (Word{1} << 47) + 768;  // of tmpnam
constexpr std::size_t kMarks = 6;

// Six characters that make a name of nothing that is there.
bool choose(Machine& machine, std::string& name, std::size_t at) {
  if (name.compare(at, kMarks, "XXXXXX") != 0) return false;
  for (unsigned number = 0;; ++number) {
    std::string digits = std::to_string(number);
    digits.insert(0, kMarks - digits.size(), '0');
    name.replace(at, kMarks, digits);
    if (!entry_exists(machine, machine.world.full_name(name))) return true;
  }
}

// The template with its marks replaced, also where the program has it. Its name, or nothing: then the call says why.
std::string chosen(Machine& machine, Call& call, Word suffix, bool pointer) {
  std::string name;
  const auto give_up = [&](int error) {
    fail(machine, call, error);
    if (pointer) call.returns(Value::of(Word{0}));
    return std::string();
  };
  if (!text_argument(machine, call, 0, name)) {
    call.returns(machine.unknown(call.at, "the name of a temporary file"));
    return "";
  }
  if (name.size() < kMarks + suffix || !choose(machine, name, name.size() - suffix - kMarks)) return give_up(EINVAL);
  const std::string full = machine.world.full_name(name);
  if (!folder_exists(machine, full)) return give_up(why_missing(machine, full));
  machine.memory.write(call.argument(0).bits, name.c_str(), name.size() + 1);
  return full;
}

void make_temporary(Machine& machine, Call& call, Value suffix, Value flags) {
  const std::string name = chosen(machine, call, suffix.bits, false);
  if (name.empty()) return;
  const int descriptor = open_file(machine, call, name, (flags.bits & ~Word{O_ACCMODE}) | O_RDWR | O_CREAT | O_EXCL);
  const Opened* one = machine.world.at(descriptor);
  if (one != nullptr) machine.world.files[one->file].mode = 0600;
  call.returns(Value::of(static_cast<Word>(descriptor)));
}
void mkstemp_model(Machine& machine, Call& call) { make_temporary(machine, call, Value{}, Value{}); }
void mkstemps_model(Machine& machine, Call& call) { make_temporary(machine, call, call.argument(1), Value{}); }
void mkostemp_model(Machine& machine, Call& call) { make_temporary(machine, call, Value{}, call.argument(1)); }
void mkostemps_model(Machine& machine, Call& call) {
  make_temporary(machine, call, call.argument(1), call.argument(2));
}
void mkdtemp_model(Machine& machine, Call& call) {
  const std::string name = chosen(machine, call, 0, true);
  if (name.empty()) return;
  make_folder(machine, call, machine.world.file_named(name), 0700);
  call.returns(call.argument(0));
}
void mktemp_model(Machine& machine, Call& call) {
  if (!chosen(machine, call, 0, true).empty()) call.returns(call.argument(0));
}

void tmpnam_model(Machine& machine, Call& call) {
  std::string name = P_tmpdir "/fileXXXXXX";
  (void)choose(machine, name, name.size() - kMarks);
  const Value to = call.argument(0);
  return_text(machine, call, to.known() && to.bits == 0 && call.name != "tmpnam_r" ? Value::of(kOwnName) : to, name);
}
// TMPDIR before the folder that was asked for, and that before the usual one.
void tempnam_model(Machine& machine, Call& call) {
  std::string folder, prefix;
  (void)text_argument(machine, call, 0, folder);
  if (!text_argument(machine, call, 1, prefix)) prefix = "file";
  for (const std::string& one : machine.setting.environment)
    if (one.starts_with("TMPDIR=")) folder = one.substr(7);
  const std::string asked = machine.world.full_name(folder);
  if (folder.empty() || !machine.world.files[machine.world.file_named(asked)].directory) folder = P_tmpdir;
  while (folder.size() > 1 && folder.ends_with('/')) folder.pop_back();
  std::string name = folder + "/" + prefix.substr(0, 5) + "XXXXXX";
  (void)choose(machine, name, name.size() - kMarks);
  return_text(machine, call, Value::of(Word{0}), name);
}

void tmpfile_model(Machine& machine, Call& call) {
  const std::uint32_t number = machine.world.nameless(P_tmpdir "/<tmpfile>");
  const int descriptor = machine.world.open(number);
  machine.access(call, {Operation::kStreamOpen, number});
  call.returns(Value::of(machine.world.make_stream(descriptor)));
}

// The stream is the same, and what is behind it another file. Without a name it is the same file in another mode.
void freopen_model(Machine& machine, Call& call) {
  const Value stream = call.argument(2), path = call.argument(0);
  std::string mode;
  Opened* one = stream.known() ? machine.world.stream(stream.bits) : nullptr;
  if (one == nullptr || !path.known() || !text_argument(machine, call, 1, mode) || mode.empty())
    return call.returns(machine.unknown(call.at, "what a stream becomes"));
  const bool same = path.bits == 0, reads = mode[0] == 'r', appends = mode[0] == 'a';
  const bool both = mode.find('+') != std::string::npos;
  const std::string name = same ? machine.world.files[one->file].name : name_argument(machine, call, 0);
  const std::uint32_t number = same ? one->file : machine.world.file_named(name);
  const int missing = same || name.starts_with("<unknown") ? 0 : why_missing(machine, name);
  const bool folder = same || folder_exists(machine, name);
  File& file = machine.world.files[number];
  one = machine.world.stream(stream.bits);
  if ((missing != 0 && (reads || !folder || missing == ENOTDIR)) || (file.directory && (!reads || both))) {
    machine.world.close(one->descriptor);
    return fail_pointer(machine, call, missing != 0 ? missing : EISDIR);
  }
  if (!file.exists || mode[0] == 'w') replace(machine, call, file);
  file.exists = file.opened = true;
  file.flags = appends ? analyze::kUseAppend : 0;
  one->file = number;
  one->position = one->pushed = 0;
  one->end_seen = false;
  one->append = appends, one->reads = reads || both, one->writes = !reads || both;
  machine.access(call, {Operation::kStreamOpen, number});
  call.returns(stream);
}

constexpr NamedModel kTemporaryModels[] = {
    {"mkstemp", mkstemp_model},     {"mkstemp64", mkstemp_model},     {"mkstemps", mkstemps_model},
    {"mkstemps64", mkstemps_model}, {"mkostemp", mkostemp_model},     {"mkostemp64", mkostemp_model},
    {"mkostemps", mkostemps_model}, {"mkostemps64", mkostemps_model}, {"mkdtemp", mkdtemp_model},
    {"mktemp", mktemp_model},       {"tmpnam", tmpnam_model},         {"tmpnam_r", tmpnam_model},
    {"tempnam", tempnam_model},     {"tmpfile", tmpfile_model},       {"tmpfile64", tmpfile_model},
    {"freopen", freopen_model},     {"freopen64", freopen_model},
};

}  // namespace

std::span<const NamedModel> temporary_models() { return kTemporaryModels; }

}  // namespace trikal::predict
