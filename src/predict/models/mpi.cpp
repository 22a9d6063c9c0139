// MPI: who a process is, and MPI-IO. Handles of Open MPI are addresses, those of MPICH are numbers; both are told apart by
// what they look like, as the runtime does.

#include <string_view>

#include "predict/models/list.hpp"
#include "predict/models/mpi.hpp"
#include "predict/models/streams.hpp"

namespace trikal::predict {
namespace {

constexpr Word kOwnTypes = 0x8c010000, kTypeSizes = (Word{1} << 47) + (Word{1} << 20), kLastCount = kTypeSizes - 8;
constexpr Word kSelf = 0x7461696c, kWorld = 0x7461696d;  // what Open MPI's objects hold here
constexpr Word kTick = 1000;

Word type_bytes(Machine& machine, Value type) {
  if (!type.known()) return 1;
  const Word handle = type.bits;
  if (handle >= kOwnTypes && handle < kOwnTypes + 4096)
    return machine.memory.load(kTypeSizes + 8 * (handle - kOwnTypes), 8).bits;
  if (handle >> 24 == 0x4c) return (handle >> 8) & 0xff;
  const Value size = machine.memory.load(handle, 8);
  return size.known() && size.bits > 0 && size.bits <= 64 ? size.bits : 1;
}

}  // namespace

bool alone(Machine& machine, Value communicator) {
  if (!communicator.known()) return false;
  return lowest(communicator.bits, 32) == 0x44000001 || machine.memory.load(communicator.bits, 8).bits == kSelf;
}

namespace {

void put_number(Machine& machine, Value where, Word value) {
  if (where.known() && where.bits != 0) machine.memory.store(where.bits, 4, Value::of(value));
}

void rank_model(Machine& machine, Call& call) {
  put_number(machine, call.argument(1), alone(machine, call.argument(0)) ? 0 : static_cast<Word>(machine.setting.rank));
}
void size_model(Machine& machine, Call& call) {
  put_number(machine, call.argument(1),
             alone(machine, call.argument(0)) ? 1 : static_cast<Word>(machine.setting.ranks));
}
void initialized_model(Machine& machine, Call& call) { put_number(machine, call.argument(0), 1); }
void init_thread_model(Machine& machine, Call& call) {
  if (call.argument(2).known()) put_number(machine, call.argument(3), call.argument(2).bits);
}
void time_model(Machine& machine, Call& call) {
  call.returns(Value::of(static_cast<double>(machine.world.ticks += kTick) * 1e-9));
}
void abort_model(Machine& machine, Call& call) { machine.leave(static_cast<int>(call.argument(1).bits & 0xff)); }
// Other processes are not predicted: what they send is what this one has.
void reduce_model(Machine& machine, Call& call) {
  const Value from = call.argument(0), to = call.argument(1), count = call.argument(2);
  if (from.known() && to.known() && count.known() && from.bits > 1)
    machine.memory.copy(to.bits, from.bits, count.bits * type_bytes(machine, call.argument(3)));
}
void receive_model(Machine& machine, Call& call) {
  const Value count = call.argument(1);
  if (call.argument(0).known() && count.known())
    machine.memory.forget(call.argument(0).bits, count.bits * type_bytes(machine, call.argument(2)),
                          machine.unknown(call.at, "a message of another rank").cause);
}
void duplicate_model(Machine& machine, Call& call) {  // the last argument is the new communicator
  const Value to = call.arguments.empty() ? Value{} : call.arguments.back();
  if (to.known() && call.argument(0).known())
    machine.memory.store(to.bits, call.argument(0).bits >> 32 == 0 ? 4 : 8, call.argument(0));
}

void new_type(Machine& machine, Value where, Value old, Word bytes) {
  const Value next = machine.memory.load(kTypeSizes - 16, 8);
  machine.memory.store(kTypeSizes - 16, 8, Value::of(next.bits + 1));
  machine.memory.store(kTypeSizes + 8 * next.bits, 8, Value::of(bytes));
  const bool number = old.known() && (old.bits >> 24 == 0x4c || old.bits >> 24 == 0x8c);
  if (where.known()) machine.memory.store(where.bits, number ? 4 : 8, Value::of(kOwnTypes + next.bits));
}
void contiguous_model(Machine& machine, Call& call) {
  new_type(machine, call.argument(2), call.argument(1), call.argument(0).bits * type_bytes(machine, call.argument(1)));
}
void vector_model(Machine& machine, Call& call) {
  new_type(machine, call.argument(4), call.argument(3),
           call.argument(0).bits * call.argument(1).bits * type_bytes(machine, call.argument(3)));
}
void subarray_model(Machine& machine, Call& call) {
  Word bytes = type_bytes(machine, call.argument(5));
  for (Word i = 0; i < call.argument(0).bits && i < 16; ++i)
    bytes *= machine.memory.load(call.argument(2).bits + 4 * i, 4).bits;
  new_type(machine, call.argument(6), call.argument(5), bytes);
}
void type_size_model(Machine& machine, Call& call) {
  put_number(machine, call.argument(1), type_bytes(machine, call.argument(0)));
}

void open_model(Machine& machine, Call& call) {
  const std::uint32_t number = machine.world.file_named(name_argument(machine, call, 1));
  File& file = machine.world.files[number];
  if (!file.exists) file.exists = true, file.size = 0;
  const int descriptor = machine.world.open(number);
  const bool together = !alone(machine, call.argument(0)) && machine.setting.ranks > 1;
  machine.access(call, {together ? Operation::kMpiCollectiveOpen : Operation::kMpiOpen, number});
  if (call.argument(4).known())
    machine.memory.store(call.argument(4).bits, 8, Value::of(machine.world.make_stream(descriptor)));
}

Opened* file_at(Machine& machine, Value handle) { return handle.known() ? machine.world.stream(handle.bits) : nullptr; }

void close_model(Machine& machine, Call& call) {
  const Value where = call.argument(0);
  if (!where.known()) return;
  const Value handle = machine.memory.load(where.bits, 8);
  if (const Opened* one = file_at(machine, handle)) {
    machine.access(call, {Operation::kMpiClose, one->file});
    machine.world.close_stream(handle.bits);
  }
}

Operation operation_of(std::string_view name) {
  const bool writes = name.find("write") != std::string_view::npos;
  if (name.starts_with("MPI_File_i")) return writes ? Operation::kMpiNonblockingWrite : Operation::kMpiNonblockingRead;
  const bool all = name.find("_all") != std::string_view::npos || name.find("_ordered") != std::string_view::npos;
  if (all) return writes ? Operation::kMpiCollectiveWrite : Operation::kMpiCollectiveRead;
  return writes ? Operation::kMpiWrite : Operation::kMpiRead;
}

void transfer_model(Machine& machine, Call& call) {
  const std::string_view name = call.name;
  const bool placed = name.find("_at") != std::string_view::npos;
  Opened* one = file_at(machine, call.argument(0));
  if (one == nullptr) return call.returns(machine.unknown(call.at, "a transfer on a file that is not known"));
  const std::size_t at = placed ? 2 : 1;
  const Value count = call.argument(at + 1), offset = placed ? call.argument(1) : Value::of(one->position);
  const Word bytes = count.known() ? count.bits * type_bytes(machine, call.argument(at + 2)) : 0;
  const Operation operation = operation_of(name);
  const Word where = offset.known() ? offset.bits : 0;
  const Word moved =
      analyze::writes(operation) ? bytes : readable(machine, call, machine.world.files[one->file], where, bytes);
  move_bytes(machine, call, {operation, one->file, where, moved, count.known()});
  if (!analyze::writes(operation))
    fill_from_file(machine, call, machine.world.files[one->file], where, call.argument(at), moved);
  if (!placed) one->position = where + moved;
  machine.memory.store(kLastCount, 8, Value::of(moved));
}

void get_count_model(Machine& machine, Call& call) {
  const Word bytes = type_bytes(machine, call.argument(1));
  put_number(machine, call.argument(2), bytes == 0 ? 0 : machine.memory.load(kLastCount, 8).bits / bytes);
}

void seek_model(Machine& machine, Call& call) {
  if (Opened* one = file_at(machine, call.argument(0)); one != nullptr && call.argument(1).known())
    one->position = call.argument(1).bits;
}
void sync_model(Machine& machine, Call& call) {
  if (const Opened* one = file_at(machine, call.argument(0))) machine.access(call, {Operation::kMpiSync, one->file});
}
void view_model(Machine& machine, Call& call) {
  Opened* one = file_at(machine, call.argument(0));
  if (one == nullptr) return;
  one->position = 0;
  machine.access(call, {Operation::kMpiSetView, one->file});
}
void get_size_model(Machine& machine, Call& call) {
  const Opened* one = file_at(machine, call.argument(0));
  if (one != nullptr && call.argument(1).known())
    machine.memory.store(call.argument(1).bits, 8, Value::of(machine.world.files[one->file].size));
}
void processor_name_model(Machine& machine, Call& call) {
  if (call.argument(0).known()) machine.memory.write(call.argument(0).bits, "node", 5);
  put_number(machine, call.argument(1), 4);
}

constexpr NamedModel kMpiModels[] = {
    {"MPI_Init", succeeds},
    {"MPI_Init_thread", init_thread_model},
    {"MPI_Finalize", succeeds},
    {"MPI_Initialized", initialized_model},
    {"MPI_Comm_rank", rank_model},
    {"MPI_Comm_size", size_model},
    {"MPI_Comm_dup", duplicate_model},
    {"MPI_Comm_split", duplicate_model},
    {"MPI_Comm_free", succeeds},
    {"MPI_Barrier", succeeds},
    {"MPI_Bcast", succeeds},
    {"MPI_Wtime", time_model},
    {"MPI_Abort", abort_model},
    {"MPI_Reduce", reduce_model},
    {"MPI_Allreduce", reduce_model},
    {"MPI_Scan", reduce_model},
    {"MPI_Send", succeeds},
    {"MPI_Isend", succeeds},
    {"MPI_Recv", receive_model},
    {"MPI_Irecv", receive_model},
    {"MPI_Wait", succeeds},
    {"MPI_Waitall", succeeds},
    {"MPI_Sendrecv", succeeds},
    {"MPI_Type_contiguous", contiguous_model},
    {"MPI_Type_vector", vector_model},
    {"MPI_Type_create_subarray", subarray_model},
    {"MPI_Type_commit", succeeds},
    {"MPI_Type_free", succeeds},
    {"MPI_Type_size", type_size_model},
    {"MPI_Info_create", succeeds},
    {"MPI_Info_set", succeeds},
    {"MPI_Info_free", succeeds},
    {"MPI_Get_processor_name", processor_name_model},
    {"MPI_File_open", open_model},
    {"MPI_File_close", close_model},
    {"MPI_File_write", transfer_model},
    {"MPI_File_write_at", transfer_model},
    {"MPI_File_write_all", transfer_model},
    {"MPI_File_write_at_all", transfer_model},
    {"MPI_File_read", transfer_model},
    {"MPI_File_read_at", transfer_model},
    {"MPI_File_read_all", transfer_model},
    {"MPI_File_read_at_all", transfer_model},
    {"MPI_File_iwrite", transfer_model},
    {"MPI_File_iwrite_at", transfer_model},
    {"MPI_File_iread", transfer_model},
    {"MPI_File_iread_at", transfer_model},
    {"MPI_File_sync", sync_model},
    {"MPI_File_set_view", view_model},
    {"MPI_File_seek", seek_model},
    {"MPI_File_get_size", get_size_model},
    {"MPI_File_set_size", succeeds},
    {"MPI_File_delete", succeeds},
    {"MPI_Get_count", get_count_model},
};

}  // namespace

void mpi_external(Machine& machine, std::string_view name, Word address) {
  struct Size {
    std::string_view type;
    Word bytes;
  };
  constexpr Size kSizes[] = {
      {"byte", 1},          {"char", 1},          {"signed_char", 1},
      {"unsigned_char", 1}, {"packed", 1},        {"int8_t", 1},
      {"uint8_t", 1},       {"short", 2},         {"int16_t", 2},
      {"int", 4},           {"unsigned", 4},      {"int32_t", 4},
      {"uint32_t", 4},      {"float", 4},         {"long", 8},
      {"unsigned_long", 8}, {"long_long_int", 8}, {"unsigned_long_long", 8},
      {"int64_t", 8},       {"uint64_t", 8},      {"double", 8},
      {"offset", 8},        {"aint", 8},          {"count", 8},
      {"long_double", 16},
  };
  if (name == "ompi_mpi_comm_self") return machine.memory.store(address, 8, Value::of(kSelf));
  if (name == "ompi_mpi_comm_world") return machine.memory.store(address, 8, Value::of(kWorld));
  if (!name.starts_with("ompi_mpi_")) return;
  for (const Size& size : kSizes)
    if (name.substr(9) == size.type) machine.memory.store(address, 8, Value::of(size.bytes));
}

std::span<const NamedModel> mpi_models() { return kMpiModels; }

}  // namespace trikal::predict
