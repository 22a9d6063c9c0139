// MPI: who a process is, and MPI-IO. Handles of Open MPI are addresses, those of MPICH are numbers; both are told apart by
// what they look like, as the runtime does.

#include <algorithm>
#include <array>
#include <string_view>

#include "predict/models/list.hpp"
#include "predict/models/mpi.hpp"
#include "predict/models/streams.hpp"

namespace trikal::predict {
namespace {

constexpr Word kOwnTypes = 0x8c010000, kTypeSizes = (Word{1} << 47) + (Word{1} << 20);
constexpr Word kSelf = 0x7461696c, kWorld = 0x7461696d;  // what Open MPI's objects hold here
constexpr Word kTick = 1000;

}  // namespace

Word type_bytes(Machine& machine, Value type) {
  if (!type.known()) return 1;
  const Word handle = type.bits;
  if (handle >= kOwnTypes && handle < kOwnTypes + 4096)
    return machine.memory.load(kTypeSizes + 8 * (handle - kOwnTypes), 8).bits;
  if (handle >> 24 == 0x4c) return (handle >> 8) & 0xff;
  const Value size = machine.memory.load(handle, 8);
  return size.known() && size.bits > 0 && size.bits <= 64 ? size.bits : 1;
}

namespace {

void initialized_model(Machine& machine, Call& call) { put_number(machine, call.argument(0), 1); }
void init_thread_model(Machine& machine, Call& call) {
  if (call.argument(2).known()) put_number(machine, call.argument(3), call.argument(2).bits);
}
void time_model(Machine& machine, Call& call) {
  machine.assume(call, "the clock");
  call.returns(Value::of(static_cast<double>(machine.world.ticks += kTick) * 1e-9));
}
void abort_model(Machine& machine, Call& call) {
  if (machine.setting.meeting != nullptr) machine.setting.meeting->abort();
  machine.leave(static_cast<int>(call.argument(1).bits & 0xff));
}
Word bytes_of(const TypeLayout& layout) {
  Word bytes = 0;
  for (const auto& [offset, size] : layout.pieces) bytes += size;
  return bytes;
}

// Own datatypes are numbered; where their bytes lie is kept beside.
void new_type(Machine& machine, Value where, Value old, TypeLayout layout) {
  const Word bytes = bytes_of(layout);
  const Value next = machine.memory.load(kTypeSizes - 16, 8);
  machine.memory.store(kTypeSizes - 16, 8, Value::of(next.bits + 1));
  machine.memory.store(kTypeSizes + 8 * next.bits, 8, Value::of(bytes));
  const bool number = old.known() && (old.bits >> 24 == 0x4c || old.bits >> 24 == 0x8c);
  if (where.known()) machine.memory.store(where.bits, number ? 4 : 8, Value::of(kOwnTypes + next.bits));
  mpi_of(machine).layouts[kOwnTypes + next.bits] = std::move(layout);
}

bool dense(const TypeLayout& layout) {
  return layout.pieces.size() == 1 && layout.pieces[0] == std::pair(std::int64_t{0}, layout.extent);
}

// The same so many times, one every `step` bytes. Of very many pieces only the bytes are known.
TypeLayout repeated(const TypeLayout& what, Word times, std::int64_t step) {
  constexpr Word kMost = 1 << 18;
  TypeLayout out;
  out.known = what.known;
  const Word one = bytes_of(what);
  out.extent = times == 0 ? 0 : static_cast<Word>(static_cast<std::int64_t>(times - 1) * step) + what.extent;
  if (times == 0) return out;
  if (dense(what) && step == static_cast<std::int64_t>(what.extent)) {
    out.pieces = {{0, times * one}};
  } else if (times * what.pieces.size() > kMost) {
    out.pieces = {{0, times * one}}, out.known = false;
  } else {
    for (Word i = 0; i < times; ++i)
      for (const auto& [offset, bytes] : what.pieces)
        out.pieces.emplace_back(static_cast<std::int64_t>(i) * step + offset, bytes);
  }
  return out;
}

// `blocks` of `length` elements, one every `stride` bytes.
TypeLayout rows(const TypeLayout& old, Word blocks, Word length, std::int64_t stride) {
  return repeated(repeated(old, length, static_cast<std::int64_t>(old.extent)), blocks, stride);
}
void contiguous_model(Machine& machine, Call& call) {
  const TypeLayout old = layout_of(machine, call.argument(1));
  new_type(machine, call.argument(2), call.argument(1), rows(old, 1, call.argument(0).bits, 0));
}
void vector_model(Machine& machine, Call& call) {
  const TypeLayout old = layout_of(machine, call.argument(3));
  std::int64_t stride = with_sign(call.argument(2).bits, call.name.find("hvector") != std::string_view::npos ? 64 : 32);
  if (call.name == "MPI_Type_vector") stride *= static_cast<std::int64_t>(old.extent);
  new_type(machine, call.argument(4), call.argument(3),
           rows(old, call.argument(0).bits, call.argument(1).bits, stride));
}
// Part of a grid; the last dimension lies together in C, the first in Fortran.
void subarray_model(Machine& machine, Call& call) {
  constexpr Word kFortranOrders[] = {57, 1};  // MPICH's and Open MPI's number
  const std::size_t dimensions = std::min<Word>(call.argument(0).bits, 16);
  std::vector<std::array<Word, 3>> all(dimensions);
  for (std::size_t i = 0; i < dimensions; ++i)
    for (std::size_t k = 0; k < 3; ++k) all[i][k] = machine.memory.load(call.argument(1 + k).bits + 4 * i, 4).bits;
  if (std::ranges::find(kFortranOrders, call.argument(4).bits) == std::end(kFortranOrders)) std::ranges::reverse(all);
  TypeLayout part = layout_of(machine, call.argument(5));
  Word extent = part.extent;
  std::int64_t first = 0;
  for (const auto& [size, length, start] : all) {
    part = rows(part, length, 1, static_cast<std::int64_t>(extent));
    first += static_cast<std::int64_t>(start * extent);
    extent *= size;
    part.extent = extent;
  }
  for (auto& [offset, bytes] : part.pieces) offset += first;
  part.extent = extent;
  new_type(machine, call.argument(6), call.argument(5), std::move(part));
}
void type_size_model(Machine& machine, Call& call) {
  put_number(machine, call.argument(1), type_bytes(machine, call.argument(0)));
}

void open_model(Machine& machine, Call& call) {
  const std::uint32_t number = machine.world.file_named(name_argument(machine, call, 1));
  File& file = machine.world.files[number];
  if (!file.exists) file.exists = true, file.size = 0;
  const int descriptor = machine.world.open(number);
  machine.note("what MPI-IO does beneath (calls of POSIX, also those of collective buffering) is not predicted");
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
  if (!name.starts_with("MPI_File_i")) put_status(machine, call.argument(at + 3), 0, 0, moved);
}

void get_count_model(Machine& machine, Call& call) {
  const Word bytes = type_bytes(machine, call.argument(1));
  const std::optional<Word> told = bytes_in_status(machine, call.argument(0));
  if (!told) return machine.forget_behind(call, call.argument(2), "the size of a message");
  put_number(machine, call.argument(2), bytes == 0 ? 0 : *told / bytes);
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
void set_size_model(Machine& machine, Call& call) {
  const Opened* one = file_at(machine, call.argument(0));
  if (one == nullptr) return;
  File& file = machine.world.files[one->file];
  if (call.argument(1).known()) file.size = call.argument(1).bits, file.size_known = true, file.original = false;
  else file.size_known = false;
  file.content.reset();
}
// The file is larger, or as it is.
void preallocate_model(Machine& machine, Call& call) {
  const Opened* one = file_at(machine, call.argument(0));
  if (one == nullptr || !call.argument(1).known()) return;
  File& file = machine.world.files[one->file];
  file.size = std::max(file.size, call.argument(1).bits), file.original = false;
}
void delete_model(Machine& machine, Call& call) { machine.world.remove(name_argument(machine, call, 0)); }
void processor_name_model(Machine& machine, Call& call) {
  if (call.argument(0).known()) machine.memory.write(call.argument(0).bits, "node", 5);
  put_number(machine, call.argument(1), 4);
}

constexpr NamedModel kMpiModels[] = {
    {"MPI_Init", succeeds},
    {"MPI_Init_thread", init_thread_model},
    {"MPI_Finalize", succeeds},
    {"MPI_Initialized", initialized_model},
    {"MPI_Wtime", time_model},
    {"MPI_Abort", abort_model},
    {"MPI_Type_contiguous", contiguous_model},
    {"MPI_Type_vector", vector_model},
    {"MPI_Type_hvector", vector_model},
    {"MPI_Type_create_hvector", vector_model},
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
    {"MPI_File_set_size", set_size_model},
    {"MPI_File_preallocate", preallocate_model},
    {"MPI_File_delete", delete_model},
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
  constexpr std::string_view kOperations[] = {"max",  "min", "sum", "prod", "land",
                                              "band", "lor", "bor", "lxor", "bxor"};
  if (name == "ompi_mpi_comm_self") return machine.memory.store(address, 8, Value::of(kSelf));
  if (name == "ompi_mpi_comm_world") return machine.memory.store(address, 8, Value::of(kWorld));
  if (!name.starts_with("ompi_mpi_")) return;
  const std::string_view rest = name.substr(9);
  for (std::size_t i = 0; i < std::size(kOperations); ++i)
    if (rest.starts_with("op_") && rest.substr(3) == kOperations[i])
      machine.memory.store(address, 8, Value::of(Word{i + 1}));
  const bool real = rest == "float" || rest == "double" || rest == "long_double";
  const bool without_sign = rest.starts_with("u") || rest == "byte" || rest == "packed";
  for (const Size& size : kSizes)
    if (rest == size.type) {
      machine.memory.store(address, 8, Value::of(size.bytes));
      machine.memory.store(address + 8, 8, Value::of(Word{real ? 3U : without_sign ? 2U : 1U}));
    }
}

std::span<const NamedModel> mpi_models() { return kMpiModels; }

Model mpi_model_of(std::string_view name) {
  for (const auto family : {mpi_models, mpi_message_models, mpi_together_models, mpi_group_models})
    for (const NamedModel& one : family())
      if (one.name == name) return one.run;
  return nullptr;
}

}  // namespace trikal::predict
