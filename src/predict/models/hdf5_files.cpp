// H5F, and what lies in files: H5G, H5L, H5O.

#include <algorithm>

#include "predict/models/hdf5.hpp"
#include "predict/world/hdf5_file.hpp"

namespace trikal::predict {
namespace {

enum : Word { kReadWrite = 1, kTruncate = 2, kExclusive = 4 };  // H5F_ACC_

void opened(Machine& machine, Call& call, std::uint32_t number, bool writable, const Hdf5List& list) {
  File& file = machine.world.files[number];
  file.exists = file.opened = true;
  file.parallel = list.parallel;
  machine.access(call, {Operation::kHdf5Open, number});
  if (list.parallel)
    machine.access(call, {list.collective ? Operation::kMpiCollectiveOpen : Operation::kMpiOpen, number});
  machine.note(
      "what HDF5 does beneath (calls of POSIX, of MPI-IO but for opening, its own metadata, attributes) is not "
      "counted");
  Hdf5Object object;
  object.kind = Hdf5Kind::kFile;
  object.file = number, object.path = "/", object.writable = writable;
  hdf5_made(machine, call, std::move(object));
}

std::uint32_t file_argument(Machine& machine, const Call& call) {
  const std::string name = name_argument(machine, call, 0);
  const std::uint32_t number = machine.world.file_named(name);
  if (machine.setting.left.contains(name)) machine.world.files[number].exists = true;
  return number;
}

void create_model(Machine& machine, Call& call) {
  const std::uint32_t number = file_argument(machine, call);
  const Word flags = call.argument(1).known() ? call.argument(1).bits : Word{kTruncate};
  const std::string name = machine.world.files[number].name;
  const bool folder = folder_exists(machine, name);
  const bool made = machine.world.hdf5().files.contains(number);
  const bool there = machine.world.files[number].exists && (made || !machine.setting.left.contains(name));
  if (!folder || (there && (flags & kTruncate) == 0) || machine.world.hdf5().in_use(number)) return hdf5_fails(call);
  make_empty(machine.world.files[number]);
  machine.world.change_hdf5().clear(number);
  opened(machine, call, number, true, hdf5_list(machine, call, 3));
}

// What lies in it: made by a rank before this one, or as it is on the disk.
bool find_content(Machine& machine, std::uint32_t number) {
  std::map<std::string, Hdf5Node> found;
  const File file = machine.world.files[number];
  if (const auto left = machine.setting.left.find(file.name); left != machine.setting.left.end()) found = left->second;
  else if (file.original && !read_hdf5_file(path_on_disk(file), found)) return false;
  machine.world.change_hdf5().clear(number);
  machine.world.change_hdf5().files[number] = !found.empty();
  for (auto& [path, node] : found) {
    if (node.kind == Hdf5Kind::kDataset) {
      node.file = machine.world.file_named(file.name + ":" + path);
      machine.world.files[node.file].exists = true;
    }
    machine.world.change_hdf5().nodes[{number, path}] = node;
  }
  return true;
}

void open_model(Machine& machine, Call& call) {
  const std::uint32_t number = file_argument(machine, call);
  const bool unknown = machine.world.files[number].name.starts_with("<unknown");
  if (!machine.world.files[number].exists && !unknown) return hdf5_fails(call);
  if (!machine.world.hdf5().files.contains(number) && !find_content(machine, number)) return hdf5_fails(call);
  const Word flags = call.argument(1).known() ? call.argument(1).bits : Word{kReadWrite};
  opened(machine, call, number, (flags & kReadWrite) != 0, hdf5_list(machine, call, 2));
}

void close_model(Machine& machine, Call& call) {
  const Hdf5Object* file = hdf5_object(machine, call, 0, Hdf5Kind::kFile);
  if (file == nullptr) return;
  machine.access(call, {Operation::kHdf5Close, file->file});
  machine.world.change_hdf5().close(call.argument(0).bits);
}

// Of any object: its file is flushed.
void flush_model(Machine& machine, Call& call) {
  if (const auto where = hdf5_where(machine, call, 0, ""))
    machine.access(call, {Operation::kHdf5Flush, where->location.first});
}

void is_hdf5_model(Machine& machine, Call& call) {
  const std::uint32_t number = file_argument(machine, call);
  if (!machine.world.files[number].exists) return hdf5_fails(call);
  const bool good = machine.world.hdf5().files.contains(number) || find_content(machine, number);
  call.returns(Value::of(Word{good}));
}

void file_name_model(Machine& machine, Call& call) {
  const auto where = hdf5_where(machine, call, 0, "");
  if (!where) return;
  const std::string name = machine.world.files[where->location.first].name;
  const Value capacity = call.argument(2);
  if (call.argument(1).known() && call.argument(1).bits != 0 && capacity.known() && capacity.bits > 0) {
    const std::string cut = name.substr(0, capacity.bits - 1);
    machine.memory.write(call.argument(1).bits, cut.c_str(), cut.size() + 1);
  }
  call.returns(Value::of(Word{name.size()}));
}

// H5Fget_create_plist and its kin.
void list_model(Machine& machine, Call& call) {
  Hdf5Object list;
  list.kind = Hdf5Kind::kList;
  hdf5_made(machine, call, std::move(list));
}
void file_of_model(Machine& machine, Call& call) {
  const auto where = hdf5_where(machine, call, 0, "");
  if (!where) return;
  Hdf5Object object;
  object.kind = Hdf5Kind::kFile;
  object.file = where->location.first, object.path = "/", object.writable = where->writable;
  hdf5_made(machine, call, std::move(object));
}

void made_group(Machine& machine, Call& call, const Hdf5Where& where) {
  Hdf5Object object;
  object.kind = Hdf5Kind::kGroup;
  object.file = where.location.first, object.path = where.location.second, object.writable = where.writable;
  hdf5_made(machine, call, std::move(object));
}

void create_group_model(Machine& machine, Call& call) {
  const auto where = hdf5_where(machine, call, 0, std::size_t{1});
  if (!where) return;
  const Hdf5List link = call.name == "H5Gcreate2" ? hdf5_list(machine, call, 2) : Hdf5List{};
  const bool there = machine.world.change_hdf5().node(where->location) != nullptr;
  if (!where->writable || there || !hdf5_parents(machine, *where, link)) return hdf5_fails(call);
  machine.world.change_hdf5().nodes[where->location] = Hdf5Node{};
  made_group(machine, call, *where);
}

// What the name leads to. Null: nothing; then the call returns what comes of it.
const Hdf5Node* found(Machine& machine, Call& call, const Hdf5Where& where) {
  const Hdf5Node* node = machine.world.change_hdf5().node(where.location);
  if (node == nullptr && where.known) hdf5_fails(call);
  else if (node == nullptr) call.returns(machine.unknown(call.at, "what lies in an HDF5 file"));
  return node;
}

void open_group_model(Machine& machine, Call& call) {
  const auto where = hdf5_where(machine, call, 0, std::size_t{1});
  if (!where) return;
  const Hdf5Node* node = machine.world.change_hdf5().node(where->location);
  if (node == nullptr ? where->known : node->kind != Hdf5Kind::kGroup) return hdf5_fails(call);
  made_group(machine, call, *where);
}

void open_at(Machine& machine, Call& call, const Hdf5Where& where) {
  const Hdf5Node* node = found(machine, call, where);
  if (node == nullptr) return;
  if (node->kind == Hdf5Kind::kGroup) return made_group(machine, call, where);
  if (node->kind == Hdf5Kind::kDataset) {
    if (const auto handle = hdf5_open_dataset(machine, call, where, false)) call.returns(Value::of(*handle));
    return;
  }
  Hdf5Object type;
  type.kind = Hdf5Kind::kType, type.type = node->type;
  hdf5_made(machine, call, std::move(type));
}
void open_object_model(Machine& machine, Call& call) {
  if (const auto where = hdf5_where(machine, call, 0, std::size_t{1})) open_at(machine, call, *where);
}

// (location, group, kind of index, order, number, list): names in their order.
void open_by_index_model(Machine& machine, Call& call) {
  auto where = hdf5_where(machine, call, 0, std::size_t{1});
  if (!where) return;
  const Value order = call.argument(3), number = call.argument(4);
  if (!where->known || !order.known() || !number.known())
    return call.returns(machine.unknown(call.at, "what lies in an HDF5 file"));
  std::vector<std::string> names = machine.world.hdf5().children(where->location);
  if (lowest(order.bits, 32) == 1) std::ranges::reverse(names);
  if (number.bits >= names.size()) return hdf5_fails(call);
  where->location.second = hdf5_path(where->location.second, names[number.bits]);
  open_at(machine, call, *where);
}

void close_object_model(Machine& machine, Call& call) {
  if (!call.argument(0).known()) return call.returns(call.argument(0));
  const Hdf5Object* object = machine.world.hdf5().at(call.argument(0).bits);
  if (object == nullptr) return hdf5_fails(call);
  if (object->kind == Hdf5Kind::kDataset) return hdf5_close_dataset(machine, call, call.argument(0).bits);
  machine.world.change_hdf5().close(call.argument(0).bits);
}

void exists_model(Machine& machine, Call& call) {
  const auto where = hdf5_where(machine, call, 0, std::size_t{1});
  if (!where) return;
  const bool there = machine.world.change_hdf5().node(where->location) != nullptr;
  if (!there && !where->known) return call.returns(machine.unknown(call.at, "what lies in an HDF5 file"));
  call.returns(Value::of(Word{there}));
}

void delete_model(Machine& machine, Call& call) {
  const auto where = hdf5_where(machine, call, 0, std::size_t{1});
  if (!where || found(machine, call, *where) == nullptr) return;
  if (!where->writable) return hdf5_fails(call);
  const std::string below = where->location.second + "/";
  std::erase_if(machine.world.change_hdf5().nodes, [&](const auto& one) {
    const auto& [file, path] = one.first;
    return file == where->location.first && (path == where->location.second || path.starts_with(below));
  });
}

void link_to(Machine& machine, Call& call, const Hdf5Where& where, const std::string& target, std::size_t list) {
  const bool there = machine.world.change_hdf5().node(where.location) != nullptr;
  if (there || !where.writable || !hdf5_parents(machine, where, hdf5_list(machine, call, list)))
    return hdf5_fails(call);
  machine.world.change_hdf5().nodes[where.location].link = target;
}
// (target, location, name, list)
void soft_link_model(Machine& machine, Call& call) {
  const auto where = hdf5_where(machine, call, 1, std::size_t{2});
  if (!where) return;
  const std::string parent =
      where->location.second.substr(0, std::max<std::size_t>(1, where->location.second.rfind('/')));
  link_to(machine, call, *where, hdf5_path(parent, hdf5_name(machine, call, 0)), 3);
}
// (location, name, new location, new name, list); 0 is the same location
void hard_link_model(Machine& machine, Call& call) {
  const auto from = hdf5_where(machine, call, 0, std::size_t{1});
  if (!from || found(machine, call, *from) == nullptr) return;
  const bool same = call.argument(2).known() && call.argument(2).bits == 0;
  const auto where = hdf5_where(machine, call, same ? 0 : 2, std::size_t{3});
  if (where) link_to(machine, call, *where, from->location.second, 4);
}

void count_model(Machine& machine, Call& call) {  // H5Gget_num_objs, H5Gget_info
  const auto where = hdf5_where(machine, call, 0, "");
  if (!where || !call.argument(1).known()) return;
  const Word count = machine.world.hdf5().children(where->location).size();
  const Value told = where->known ? Value::of(count) : machine.unknown(call.at, "how much lies in an HDF5 file");
  machine.memory.store(call.argument(1).bits + (call.name == "H5Gget_info" ? 8 : 0), 8, told);
}

// int (*)(group, name, info, data), for each name in order; a number other than 0 ends it.
void iterate_model(Machine& machine, Call& call) {
  constexpr Word kInfo = 64;
  const auto where = hdf5_where(machine, call, 0, "");
  if (!where) return;
  if (!where->known || !call.argument(4).known())
    return call.returns(machine.unknown(call.at, "what lies in an HDF5 file"));
  std::vector<std::string> names = machine.world.hdf5().children(where->location);
  if (lowest(call.argument(2).bits, 32) == 1) std::ranges::reverse(names);
  const Word info = machine.world.take(kInfo);
  machine.memory.fill(info, kInfo, 0);
  Value result = Value::of(Word{0});
  for (const std::string& name : names) {
    const Word text = machine.world.take(name.size() + 1);
    machine.memory.write(text, name.c_str(), name.size() + 1);
    const Value arguments[] = {call.argument(0), Value::of(text), Value::of(info), call.argument(5)};
    const std::vector<Value> told = machine.invoke(call.argument(4).bits, arguments, call);
    machine.world.give_back(text);
    result = told.empty() ? Value::of(Word{0}) : told[0];
    if (!result.known() || lowest(result.bits, 32) != 0) break;
  }
  machine.world.give_back(info);
  call.returns(result);
}

constexpr NamedModel kHdf5FilesModels[] = {
    {"H5Fcreate", create_model},
    {"H5Fopen", open_model},
    {"H5Fclose", close_model},
    {"H5Fflush", flush_model},
    {"H5Fis_hdf5", is_hdf5_model},
    {"H5Fis_accessible", is_hdf5_model},
    {"H5Fget_name", file_name_model},
    {"H5Fget_create_plist", list_model},
    {"H5Fget_access_plist", list_model},
    {"H5Gget_create_plist", list_model},
    {"H5Freopen", file_of_model},
    {"H5Iget_file_id", file_of_model},
    {"H5Fset_mpi_atomicity", succeeds},
    {"H5Fstart_swmr_write", succeeds},
    {"H5Gcreate1", create_group_model},
    {"H5Gcreate2", create_group_model},
    {"H5Gopen1", open_group_model},
    {"H5Gopen2", open_group_model},
    {"H5Gget_num_objs", count_model},
    {"H5Gget_info", count_model},
    {"H5Gunlink", delete_model},
    {"H5Ldelete", delete_model},
    {"H5Lexists", exists_model},
    {"H5Oexists_by_name", exists_model},
    {"H5Lcreate_soft", soft_link_model},
    {"H5Lcreate_hard", hard_link_model},
    {"H5Literate", iterate_model},
    {"H5Literate1", iterate_model},
    {"H5Literate2", iterate_model},
    {"H5Oopen", open_object_model},
    {"H5Oopen_by_idx", open_by_index_model},
    {"H5Oclose", close_object_model},
};

}  // namespace

std::span<const NamedModel> hdf5_file_models() { return kHdf5FilesModels; }

}  // namespace trikal::predict
