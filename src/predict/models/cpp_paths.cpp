// std::filesystem::path: what libstdc++ does to the text and the parts of paths inside of the library. How text is taken
// apart and put together is asked of the same library here.

#include "predict/models/cpp_paths.hpp"

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <vector>

#include "predict/models/cpp.hpp"
#include "predict/models/list.hpp"
#include "predict/models/streams.hpp"

namespace trikal::predict {
namespace {

using Path = std::filesystem::path;

constexpr Word kList = 32, kOwnText = 16;
// The list is a pointer with the kind of the path in its lowest bits, or to parts of 48 bytes: a path and its position.
constexpr Word kKinds = 3, kRootFolder = 2, kName = 3, kPartBytes = 48, kPosition = 40, kFirstPart = 16;

Word kind_of(const std::string& part) { return part == "/" ? kRootFolder : kName; }

// {count}, {}, parts, and the characters of all of them: nobody changes a part by itself.
Word make_list(Machine& machine, const std::string& text) {
  const Path path = text;
  std::vector<std::string> parts;
  for (const Path& part : path) parts.push_back(part.string());
  if (parts.size() < 2) return parts.empty() ? kName : kind_of(parts[0]);
  Word characters = 0, position = 0;
  for (const std::string& part : parts) characters += part.size() + 1;
  const Word head = kFirstPart + kPartBytes * parts.size(), list = machine.world.take(head + characters);
  machine.memory.store(list, 8, Value::of(Word{parts.size()}));
  Word at = list + head;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Word part = list + kFirstPart + kPartBytes * i;
    if (!parts[i].empty()) position = text.find(parts[i], position);
    else position = text.size();
    machine.memory.store(part, 8, Value::of(at));
    machine.memory.store(part + 8, 8, Value::of(Word{parts[i].size()}));
    machine.memory.store(part + kOwnText, 8, Value::of(Word{parts[i].size()}));
    machine.memory.store(part + kList, 8, Value::of(kind_of(parts[i])));
    machine.memory.store(part + kPosition, 8, Value::of(position));
    machine.memory.write(at, parts[i].c_str(), parts[i].size() + 1);
    at += parts[i].size() + 1, position += parts[i].size();
  }
  return list;
}

void drop_list(Machine& machine, Value list) {
  if (list.known() && list.bits > kKinds && (list.bits & kKinds) == 0) machine.world.give_back(list.bits);
}

void set_list(Machine& machine, Word path, Word list) { machine.memory.store(path + kList, 8, Value::of(list)); }

// What a path and maybe another one make together.
using Take = std::string (*)(World& world, const Path& one, const Path& other);

bool texts(Machine& machine, const Call& call, std::size_t first, std::string& one, std::string& other) {
  return read_string(machine, call.argument(first), one) &&
         (call.arguments.size() <= first + 1 || read_string(machine, call.argument(first + 1), other));
}

template <Take take>
void part_model(Machine& machine, Call& call) {  // where the result goes comes first
  if (!call.argument(0).known()) return;
  std::string one, other;
  const bool told = texts(machine, call, 1, one, other);
  make_path(machine, call, call.argument(0).bits, told ? take(machine.world, one, other) : std::string(), told);
}

// Looks at each part of a path on its way: of files alone that is counted, and those come last.
void look_along(Machine& machine, const Call& call, const std::string& path) {
  const std::uint32_t number = machine.world.file_named(machine.world.full_name(path));
  const File& file = machine.world.files[number];
  if (file.exists && !file.directory) machine.access(call, {Operation::kStat, number});
}
template <Take take>
void followed_model(Machine& machine, Call& call) {
  std::string one, other;
  if (texts(machine, call, 1, one, other)) {
    look_along(machine, call, one);
    if (!other.empty()) look_along(machine, call, other);
  }
  part_model<take>(machine, call);
}

// With an error code: only what is followed to its end may be missing.
template <Take take, bool Missing = false>
void part_or_error_model(Machine& machine, Call& call) {
  if (!call.argument(0).known()) return;
  std::string one;
  const bool told = read_string(machine, call.argument(1), one);
  const bool gone =
      Missing && told && !machine.world.files[machine.world.file_named(machine.world.full_name(one))].exists;
  if (call.argument(2).known())
    machine.memory.store(call.argument(2).bits, 4, Value::of(static_cast<Word>(gone ? ENOENT : 0)));
  make_path(machine, call, call.argument(0).bits, told && !gone ? take(machine.world, one, {}) : std::string(), told);
}

template <Take take>
void change_model(Machine& machine, Call& call) {
  std::string one, other;
  call.returns(call.argument(0));
  if (!texts(machine, call, 0, one, other))
    return machine.forget_behind(call, call.argument(0), "a path that is not known");
  change_path(machine, call, call.argument(0).bits, take(machine.world, one, other));
}

// Characters that come as their number and where they are.
template <Take take>
void change_by_text_model(Machine& machine, Call& call) {
  std::string one;
  const Value size = call.argument(1), at = call.argument(2);
  std::string other(size.known() && size.bits <= 1 << 20 ? size.bits : 0, '\0');
  if (!read_string(machine, call.argument(0), one) || !size.known() || !at.known() ||
      !machine.memory.read(at.bits, other.data(), other.size()))
    return machine.forget_behind(call, call.argument(0), "a path that is not known");
  change_path(machine, call, call.argument(0).bits, take(machine.world, one, other));
}

template <bool (Path::*has)() const>
void has_model(Machine& machine, Call& call) {
  std::string text;
  if (!read_string(machine, call.argument(0), text))
    return call.returns(machine.unknown(call.at, "a path that is not known"));
  call.returns(Value::of(Word{(Path(text).*has)()}));
}

void compare_model(Machine& machine, Call& call) {
  std::string one, other;
  if (!texts(machine, call, 0, one, other)) return call.returns(machine.unknown(call.at, "a path that is not known"));
  call.returns(Value::of(lowest(static_cast<Word>(Path(one).compare(Path(other))), 32)));
}
void compare_text_model(Machine& machine, Call& call) {
  std::string one;
  const Value size = call.argument(1), at = call.argument(2);
  std::string other(size.known() && size.bits <= 1 << 20 ? size.bits : 0, '\0');
  if (!read_string(machine, call.argument(0), one) || !size.known() || !at.known() ||
      !machine.memory.read(at.bits, other.data(), other.size()))
    return call.returns(machine.unknown(call.at, "a path that is not known"));
  call.returns(Value::of(lowest(static_cast<Word>(Path(one).compare(Path(other))), 32)));
}
void hash_model(Machine& machine, Call& call) {
  std::string text;
  if (!read_string(machine, call.argument(0), text))
    return call.returns(machine.unknown(call.at, "a path that is not known"));
  call.returns(Value::of(Word{std::filesystem::hash_value(Path(text))}));
}

// The string that the extension is in, and where in it: nothing, or npos, where there is none.
void extension_model(Machine& machine, Call& call) {
  std::string text;
  if (!read_string(machine, call.argument(0), text) || call.result.size() < 2) {
    for (Value& value : call.result) value = machine.unknown(call.at, "the extension of a path");
    return;
  }
  const std::string name = Path(text).filename().string();
  const std::size_t dot = name.rfind('.');
  const bool none = name.empty(), short_one = name.size() <= 2 && name.starts_with('.');
  const Value list = machine.memory.load(call.argument(0).bits + kList, 8);
  Value where = call.argument(0);
  if (list.known() && (list.bits & kKinds) == 0 && list.bits != 0)
    where = Value::of(list.bits + kFirstPart + kPartBytes * (machine.memory.load(list.bits, 8).bits - 1));
  call.result[0] = none ? Value::of(Word{0}) : where;
  call.result[1] = Value::of(none ? Word{0} : dot == 0 || short_one ? Word{std::string::npos} : Word{dot});
}

void split_model(Machine& machine, Call& call) {
  if (!call.argument(0).known()) return;
  std::string text;
  drop_list(machine, machine.memory.load(call.argument(0).bits + kList, 8));
  const bool told = read_string(machine, call.argument(0), text);
  set_list(machine, call.argument(0).bits, told ? make_list(machine, text) : kName);
}
void list_model(Machine& machine, Call& call) {
  if (call.argument(0).known()) set_list(machine, call.argument(0).bits - kList, kName);
}
// The text of the path before it is there already, wherever a list is copied as part of a path.
void copy_list_model(Machine& machine, Call& call) {
  std::string text;
  if (!call.argument(0).known()) return;
  const Word path = call.argument(0).bits - kList;
  const bool told = read_string(machine, Value::of(path), text);
  set_list(machine, path, told ? make_list(machine, text) : kName);
}
void drop_list_model(Machine& machine, Call& call) { drop_list(machine, call.argument(1)); }
template <bool End>
void ends_model(Machine& machine, Call& call) {
  const Value list = call.argument(0).known() ? machine.memory.load(call.argument(0).bits, 8) : call.argument(0);
  if (!list.known()) return call.returns(list);
  if ((list.bits & kKinds) != 0 || list.bits == 0) return call.returns(Value::of(Word{0}));
  const Value count = machine.memory.load(list.bits, 8);
  if (!count.known()) return call.returns(count);
  call.returns(Value::of(list.bits + kFirstPart + (End ? kPartBytes * count.bits : 0)));
}

template <Path (Path::*part)() const>
std::string of(World&, const Path& one, const Path&) {
  return (one.*part)().string();
}
template <Path (Path::*part)(const Path&) const>
std::string of_both(World&, const Path& one, const Path& other) {
  return (one.*part)(other).string();
}
template <Path& (Path::*change)(const Path&)>
std::string changed(World&, const Path& one, const Path& other) {
  Path copy = one;
  return (copy.*change)(other).string();
}
std::string without_name(World&, const Path& one, const Path&) { return Path(one).remove_filename().string(); }
std::string second(World&, const Path&, const Path& other) { return other.string(); }
std::string joined(World&, const Path& one, const Path& other) { return (one / other).string(); }
std::string behind(World&, const Path& one, const Path& other) { return one.string() + other.string(); }
std::string absolute(World& world, const Path& one, const Path&) { return (Path(world.here) / one).string(); }
std::string here(World& world, const Path&, const Path&) { return world.here; }
std::string temporary(World&, const Path&, const Path&) { return std::filesystem::temp_directory_path().string(); }
std::string canonical(World& world, const Path& one, const Path&) {
  return one.empty() ? "" : world.real_name(world.full_name(one.string()));
}
std::string relative(World& world, const Path& one, const Path& other) {
  return Path(canonical(world, one, {})).lexically_relative(canonical(world, other, {})).string();
}
void here_or_error_model(Machine& machine, Call& call) {
  if (call.argument(1).known()) machine.memory.store(call.argument(1).bits, 4, Value::of(Word{0}));
  if (call.argument(0).known()) make_path(machine, call, call.argument(0).bits, machine.world.here);
}
std::string relative_to_here(World& world, const Path& one, const Path&) { return relative(world, one, world.here); }

#define TRIKAL_OF "_ZNKSt10filesystem7__cxx114path"
#define TRIKAL_TO "_ZNSt10filesystem7__cxx114path"
#define TRIKAL_VIEW "ESt17basic_string_viewIcSt11char_traitsIcEE"
constexpr NamedModel kCppPathsModels[] = {
    {TRIKAL_OF "11parent_pathEv", part_model<of<&Path::parent_path>>},
    {TRIKAL_OF "9root_pathEv", part_model<of<&Path::root_path>>},
    {TRIKAL_OF "9root_nameEv", part_model<of<&Path::root_name>>},
    {TRIKAL_OF "14root_directoryEv", part_model<of<&Path::root_directory>>},
    {TRIKAL_OF "13relative_pathEv", part_model<of<&Path::relative_path>>},
    {TRIKAL_OF "16lexically_normalEv", part_model<of<&Path::lexically_normal>>},
    {TRIKAL_OF "18lexically_relativeERKS1_", part_model<of_both<&Path::lexically_relative>>},
    {TRIKAL_OF "19lexically_proximateERKS1_", part_model<of_both<&Path::lexically_proximate>>},
    {"_ZNSt10filesystem8absoluteERKNS_7__cxx114pathE", part_model<absolute>},
    {"_ZNSt10filesystem9canonicalERKNS_7__cxx114pathE", part_model<canonical>},
    {"_ZNSt10filesystem16weakly_canonicalERKNS_7__cxx114pathE", followed_model<canonical>},
    {"_ZNSt10filesystem8relativeERKNS_7__cxx114pathES3_", followed_model<relative>},
    {"_ZNSt10filesystem12current_pathB5cxx11Ev", part_model<here>},
    {"_ZNSt10filesystem12current_pathB5cxx11ERSt10error_code", here_or_error_model},
    {"_ZNSt10filesystem8absoluteERKNS_7__cxx114pathERSt10error_code", part_or_error_model<absolute>},
    {"_ZNSt10filesystem9canonicalERKNS_7__cxx114pathERSt10error_code", part_or_error_model<canonical, true>},
    {"_ZNSt10filesystem16weakly_canonicalERKNS_7__cxx114pathERSt10error_code", part_or_error_model<canonical>},
    {"_ZNSt10filesystem8relativeERKNS_7__cxx114pathERSt10error_code", part_or_error_model<relative_to_here>},
    {"_ZNSt10filesystem19temp_directory_pathB5cxx11Ev", part_model<temporary>},
    {TRIKAL_TO "aSERKS1_", change_model<second>},
    {TRIKAL_TO "dVERKS1_", change_model<joined>},
    {TRIKAL_TO "pLERKS1_", change_model<behind>},
    {TRIKAL_TO "17replace_extensionERKS1_", change_model<changed<&Path::replace_extension>>},
    {TRIKAL_TO "16replace_filenameERKS1_", change_model<changed<&Path::replace_filename>>},
    {TRIKAL_TO "15remove_filenameEv", change_model<without_name>},
    {TRIKAL_TO "9_M_append" TRIKAL_VIEW, change_by_text_model<joined>},
    {TRIKAL_TO "9_M_concat" TRIKAL_VIEW, change_by_text_model<behind>},
    {TRIKAL_OF "7compareERKS1_", compare_model},
    {TRIKAL_OF "7compare" TRIKAL_VIEW, compare_text_model},
    {"_ZNSt10filesystem7__cxx1110hash_valueERKNS0_4pathE", hash_model},
    {TRIKAL_OF "13has_root_pathEv", has_model<&Path::has_root_path>},
    {TRIKAL_OF "13has_root_nameEv", has_model<&Path::has_root_name>},
    {TRIKAL_OF "18has_root_directoryEv", has_model<&Path::has_root_directory>},
    {TRIKAL_OF "17has_relative_pathEv", has_model<&Path::has_relative_path>},
    {TRIKAL_OF "15has_parent_pathEv", has_model<&Path::has_parent_path>},
    {TRIKAL_OF "12has_filenameEv", has_model<&Path::has_filename>},
    {TRIKAL_OF "17_M_find_extensionEv", extension_model},
    {TRIKAL_TO "14_M_split_cmptsEv", split_model},
    {TRIKAL_TO "5_ListC1Ev", list_model},
    {TRIKAL_TO "5_ListC1ERKS2_", copy_list_model},
    {TRIKAL_OF "5_List13_Impl_deleterclEPNS2_5_ImplE", drop_list_model},
    {TRIKAL_OF "5_List5beginEv", ends_model<false>},
    {TRIKAL_OF "5_List3endEv", ends_model<true>},
};
#undef TRIKAL_OF
#undef TRIKAL_TO
#undef TRIKAL_VIEW

}  // namespace

void make_path(Machine& machine, const Call& call, Word address, const std::string& text, bool known) {
  machine.memory.store(address, 8, Value::of(address + kOwnText));
  machine.memory.store(address + 8, 8, Value::of(Word{0}));
  machine.memory.store(address + kOwnText, 1, Value::of(Word{0}));
  if (known) write_string(machine, call, Value::of(address), text, true);
  else machine.memory.forget(address, kList, machine.unknown(call.at, "a path that is not known").cause);
  set_list(machine, address, known ? make_list(machine, text) : kName);
}

void change_path(Machine& machine, const Call& call, Word address, const std::string& text) {
  drop_list(machine, machine.memory.load(address + kList, 8));
  write_string(machine, call, Value::of(address), text, true);
  set_list(machine, address, make_list(machine, text));
}

std::span<const NamedModel> cpp_path_models() { return kCppPathsModels; }

}  // namespace trikal::predict
