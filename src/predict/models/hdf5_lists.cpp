// H5P, H5I, H5E and the library itself.

#include "predict/models/hdf5.hpp"
#include "predict/models/mpi.hpp"

namespace trikal::predict {
namespace {

void create_model(Machine& machine, Call& call) {
  Hdf5Object list;
  list.kind = Hdf5Kind::kList;
  hdf5_made(machine, call, std::move(list));
}

void copy_model(Machine& machine, Call& call) {
  const Hdf5Object* from = hdf5_object(machine, call, 0, Hdf5Kind::kList);
  if (from == nullptr) return;
  Hdf5Object copy = *from;
  copy.fixed = false;
  hdf5_made(machine, call, std::move(copy));
}

void set_chunk_model(Machine& machine, Call& call) {
  Hdf5Object* list = hdf5_change(machine, call, 0, Hdf5Kind::kList);
  if (list == nullptr || !call.argument(1).known()) return;
  const std::int64_t rank = with_sign(call.argument(1).bits, 32);
  if (rank <= 0 || static_cast<std::size_t>(rank) > kHdf5MostDimensions) return hdf5_fails(call);
  std::vector<Word> chunk;
  if (const Cause why = hdf5_sizes(machine, call.argument(2), static_cast<std::size_t>(rank), chunk); why != kKnown)
    return call.returns(Value::unknown(why));
  for (const Word one : chunk)
    if (one == 0) return hdf5_fails(call);
  list->list.chunk = std::move(chunk);
  list->list.layout = 2;
}

void get_chunk_model(Machine& machine, Call& call) {
  const Hdf5Object* list = hdf5_object(machine, call, 0, Hdf5Kind::kList);
  if (list == nullptr) return;
  if (list->list.layout != 2) return hdf5_fails(call);
  std::vector<Word> chunk = list->list.chunk;
  const Word rank = chunk.size();
  if (call.argument(1).known() && chunk.size() > call.argument(1).bits) chunk.resize(call.argument(1).bits);
  hdf5_put_sizes(machine, call.argument(2), chunk);
  call.returns(Value::of(rank));
}

void set_layout_model(Machine& machine, Call& call) {
  Hdf5Object* list = hdf5_change(machine, call, 0, Hdf5Kind::kList);
  if (list != nullptr && call.argument(1).known()) list->list.layout = static_cast<int>(call.argument(1).bits & 0xff);
}
void get_layout_model(Machine& machine, Call& call) {
  if (const Hdf5Object* list = hdf5_object(machine, call, 0, Hdf5Kind::kList))
    call.returns(Value::of(static_cast<Word>(list->list.layout)));
}

void set_mpi_model(Machine& machine, Call& call) {
  Hdf5Object* list = hdf5_change(machine, call, 0, Hdf5Kind::kList);
  if (list == nullptr) return;
  list->list.parallel = true;
  list->list.collective = !alone(machine, call.argument(1)) && machine.setting.ranks > 1;
}
void set_serial_model(Machine& machine, Call& call) {
  if (Hdf5Object* list = hdf5_change(machine, call, 0, Hdf5Kind::kList)) list->list.parallel = false;
}
void set_transfer_model(Machine& machine, Call& call) {
  Hdf5Object* list = hdf5_change(machine, call, 0, Hdf5Kind::kList);
  if (list != nullptr && call.argument(1).known()) list->list.collective = lowest(call.argument(1).bits, 32) == 1;
}
void get_transfer_model(Machine& machine, Call& call) {
  if (const Hdf5Object* list = hdf5_object(machine, call, 0, Hdf5Kind::kList))
    hdf5_put(machine, call.argument(1), 4, list->list.collective ? 1 : 0);
}
void set_groups_model(Machine& machine, Call& call) {
  Hdf5Object* list = hdf5_change(machine, call, 0, Hdf5Kind::kList);
  if (list != nullptr && call.argument(1).known()) list->list.makes_groups = lowest(call.argument(1).bits, 32) != 0;
}
// Metadata is read by all ranks together. Datasets are opened by their own lists for access, not by the file's.
void set_metadata_model(Machine& machine, Call& call) {
  Hdf5Object* list = hdf5_change(machine, call, 0, Hdf5Kind::kList);
  if (list != nullptr && !list->list.parallel)
    list->list.collective = call.argument(1).known() && call.argument(1).bits != 0;
}

// Of anything: what has no users left is gone.
void close_model(Machine& machine, Call& call) {
  if (!call.argument(0).known()) return call.returns(call.argument(0));
  if (machine.world.hdf5().at(call.argument(0).bits) == nullptr) return hdf5_fails(call);
  machine.world.change_hdf5().close(call.argument(0).bits);
}

void kind_model(Machine& machine, Call& call) {
  if (!call.argument(0).known()) return call.returns(call.argument(0));
  const Hdf5Object* object = machine.world.hdf5().at(call.argument(0).bits);
  if (object == nullptr) return hdf5_fails(call);
  call.returns(Value::of(static_cast<Word>(object->kind)));
}
void valid_model(Machine& machine, Call& call) {
  if (!call.argument(0).known()) return call.returns(call.argument(0));
  call.returns(Value::of(Word{machine.world.hdf5().at(call.argument(0).bits) != nullptr}));
}
void share_model(Machine& machine, Call& call) {
  if (!call.argument(0).known()) return call.returns(call.argument(0));
  Hdf5Object* object = machine.world.change_hdf5().at(call.argument(0).bits);
  if (object == nullptr) return hdf5_fails(call);
  call.returns(Value::of(static_cast<Word>(++object->users)));
}
void users_model(Machine& machine, Call& call) {
  if (!call.argument(0).known()) return call.returns(call.argument(0));
  const Hdf5Object* object = machine.world.hdf5().at(call.argument(0).bits);
  if (object == nullptr) return hdf5_fails(call);
  call.returns(Value::of(static_cast<Word>(object->users)));
}
// The last user closes: a dataset as H5Dclose does.
void release_model(Machine& machine, Call& call) {
  if (!call.argument(0).known()) return call.returns(call.argument(0));
  const Hdf5Object* object = machine.world.hdf5().at(call.argument(0).bits);
  if (object == nullptr) return hdf5_fails(call);
  const int left = object->users - 1;
  if (left == 0 && object->kind == Hdf5Kind::kDataset) {
    hdf5_close_dataset(machine, call, call.argument(0).bits);
  } else {
    if (left == 0 && object->kind == Hdf5Kind::kFile) machine.access(call, {Operation::kHdf5Close, object->file});
    machine.world.change_hdf5().close(call.argument(0).bits);
  }
  call.returns(Value::of(static_cast<Word>(left)));
}

// ssize_t H5Iget_name(id, name, size)
void name_model(Machine& machine, Call& call) {
  if (!call.argument(0).known()) return call.returns(call.argument(0));
  const Hdf5Object* object = machine.world.hdf5().at(call.argument(0).bits);
  if (object == nullptr) return hdf5_fails(call);
  const Value capacity = call.argument(2);
  if (call.argument(1).known() && call.argument(1).bits != 0 && capacity.known() && capacity.bits > 0) {
    const std::string cut = object->path.substr(0, capacity.bits - 1);
    machine.memory.write(call.argument(1).bits, cut.c_str(), cut.size() + 1);
  }
  call.returns(Value::of(Word{object->path.size()}));
}

void yes_model(Machine&, Call& call) { call.returns(Value::of(Word{1})); }
void take_model(Machine& machine, Call& call) {
  if (!call.argument(0).known()) return call.returns(call.argument(0));
  call.returns(Value::of(machine.world.take(call.argument(0).bits)));
}
void give_model(Machine& machine, Call& call) {
  if (call.argument(0).known()) machine.world.give_back(call.argument(0).bits);
}
void driver_model(Machine& machine, Call& call) {
  if (const Hdf5Object* list = hdf5_object(machine, call, 0, Hdf5Kind::kList))
    call.returns(Value::of(Word{list->list.parallel ? 2U : 1U}));
}
void mpi_driver_model(Machine&, Call& call) { call.returns(Value::of(Word{2})); }

constexpr NamedModel kHdf5ListsModels[] = {
    {"H5open", succeeds},
    {"H5close", succeeds},
    {"H5dont_atexit", succeeds},
    {"H5check_version", succeeds},
    {"H5garbage_collect", succeeds},
    {"H5set_free_list_limits", succeeds},
    {"H5allocate_memory", take_model},
    {"H5free_memory", give_model},
    {"H5is_library_threadsafe", succeeds},
    {"H5Eset_auto1", succeeds},
    {"H5Eset_auto2", succeeds},
    {"H5Eget_auto1", succeeds},
    {"H5Eget_auto2", succeeds},
    {"H5Eprint1", succeeds},
    {"H5Eprint2", succeeds},
    {"H5Eclear1", succeeds},
    {"H5Eclear2", succeeds},
    {"H5Pcreate", create_model},
    {"H5Pcopy", copy_model},
    {"H5Pclose", close_model},
    {"H5Pset_chunk", set_chunk_model},
    {"H5Pget_chunk", get_chunk_model},
    {"H5Pset_layout", set_layout_model},
    {"H5Pget_layout", get_layout_model},
    {"H5Pset_fapl_mpio", set_mpi_model},
    {"H5Pset_fapl_mpiposix", set_mpi_model},
    {"H5Pset_fapl_sec2", set_serial_model},
    {"H5Pset_fapl_stdio", set_serial_model},
    {"H5Pset_dxpl_mpio", set_transfer_model},
    {"H5Pget_dxpl_mpio", get_transfer_model},
    {"H5Pset_create_intermediate_group", set_groups_model},
    {"H5Pset_all_coll_metadata_ops", set_metadata_model},
    {"H5Pget_driver", driver_model},
    {"H5FD_mpio_init", mpi_driver_model},
    {"H5Zfilter_avail", yes_model},
    {"H5Iget_type", kind_model},
    {"H5Iis_valid", valid_model},
    {"H5Iinc_ref", share_model},
    {"H5Iget_ref", users_model},
    {"H5Idec_ref", release_model},
    {"H5Iget_name", name_model},
    {"H5Sclose", close_model},
    {"H5Tclose", close_model},
    {"H5Gclose", close_model},
    {"H5Aclose", close_model},
};

}  // namespace

std::span<const NamedModel> hdf5_list_models() { return kHdf5ListsModels; }

}  // namespace trikal::predict
