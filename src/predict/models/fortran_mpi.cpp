// MPI as Fortran calls it: everything by reference, handles are numbers, the length of a text comes last, and what
// went wrong is an argument behind the others, which modules of 2008 leave out. What is called is the model in C.

#include <algorithm>
#include <array>

#include "predict/models/mpi.hpp"
#include "predict/models/streams.hpp"

namespace trikal::predict {
namespace {

// Arguments: i a number, l one of eight bytes, p an address, s text, c a communicator, t a datatype, f a file, F a file
// that is opened, G one that is closed, - one that only C has.
struct Shape {
  std::string_view fortran, c, arguments;
};
constexpr Shape kShapes[] = {
    {"mpi_init_", "MPI_Init", ""},
    {"mpi_init_thread_", "MPI_Init_thread", "--ip"},
    {"mpi_finalize_", "MPI_Finalize", ""},
    {"mpi_initialized_", "MPI_Initialized", "p"},
    {"mpi_comm_rank_", "MPI_Comm_rank", "cp"},
    {"mpi_comm_size_", "MPI_Comm_size", "cp"},
    {"mpi_comm_dup_", "MPI_Comm_dup", "cp"},
    {"mpi_comm_split_", "MPI_Comm_split", "ciip"},
    {"mpi_comm_free_", "MPI_Comm_free", "p"},
    {"mpi_comm_split_type_", "MPI_Comm_split_type", "ciiip"},
    {"mpi_dims_create_", "MPI_Dims_create", "iip"},
    {"mpi_cart_create_", "MPI_Cart_create", "cippip"},
    {"mpi_cart_coords_", "MPI_Cart_coords", "ciip"},
    {"mpi_cart_rank_", "MPI_Cart_rank", "cpp"},
    {"mpi_cart_get_", "MPI_Cart_get", "cippp"},
    {"mpi_cart_shift_", "MPI_Cart_shift", "ciipp"},
    {"mpi_barrier_", "MPI_Barrier", "c"},
    {"mpi_bcast_", "MPI_Bcast", "pitic"},
    {"mpi_wtime_", "MPI_Wtime", ""},
    {"mpi_abort_", "MPI_Abort", "ci"},
    {"mpi_reduce_", "MPI_Reduce", "ppitiic"},
    {"mpi_allreduce_", "MPI_Allreduce", "ppitic"},
    {"mpi_scan_", "MPI_Scan", "ppitic"},
    {"mpi_exscan_", "MPI_Exscan", "ppitic"},
    {"mpi_gather_", "MPI_Gather", "pitpitic"},
    {"mpi_gatherv_", "MPI_Gatherv", "pitppptic"},
    {"mpi_allgather_", "MPI_Allgather", "pitpitc"},
    {"mpi_allgatherv_", "MPI_Allgatherv", "pitppptc"},
    {"mpi_scatter_", "MPI_Scatter", "pitpitic"},
    {"mpi_scatterv_", "MPI_Scatterv", "ppptpitic"},
    {"mpi_alltoall_", "MPI_Alltoall", "pitpitc"},
    {"mpi_ssend_", "MPI_Ssend", "pitiic"},
    {"mpi_issend_", "MPI_Issend", "pitiicp"},
    {"mpi_probe_", "MPI_Probe", "iicp"},
    {"mpi_sendrecv_replace_", "MPI_Sendrecv_replace", "pitiiiicp"},
    {"mpi_test_", "MPI_Test", "ppp"},
    {"mpi_send_", "MPI_Send", "pitiic"},
    {"mpi_isend_", "MPI_Isend", "pitiicp"},
    {"mpi_recv_", "MPI_Recv", "pitiicp"},
    {"mpi_irecv_", "MPI_Irecv", "pitiicp"},
    {"mpi_wait_", "MPI_Wait", "pp"},
    {"mpi_waitall_", "MPI_Waitall", "ipp"},
    {"mpi_sendrecv_", "MPI_Sendrecv", "pitiipitiicp"},
    {"mpi_type_contiguous_", "MPI_Type_contiguous", "itp"},
    {"mpi_type_vector_", "MPI_Type_vector", "iiitp"},
    {"mpi_type_create_subarray_", "MPI_Type_create_subarray", "ipppitp"},
    {"mpi_type_commit_", "MPI_Type_commit", "p"},
    {"mpi_type_free_", "MPI_Type_free", "p"},
    {"mpi_type_size_", "MPI_Type_size", "tp"},
    {"mpi_info_create_", "MPI_Info_create", "p"},
    {"mpi_info_set_", "MPI_Info_set", "iss"},
    {"mpi_info_free_", "MPI_Info_free", "p"},
    {"mpi_file_open_", "MPI_File_open", "csiiF"},
    {"mpi_file_close_", "MPI_File_close", "G"},
    {"mpi_file_write_", "MPI_File_write", "fpitp"},
    {"mpi_file_write_at_", "MPI_File_write_at", "flpitp"},
    {"mpi_file_write_all_", "MPI_File_write_all", "fpitp"},
    {"mpi_file_write_at_all_", "MPI_File_write_at_all", "flpitp"},
    {"mpi_file_read_", "MPI_File_read", "fpitp"},
    {"mpi_file_read_at_", "MPI_File_read_at", "flpitp"},
    {"mpi_file_read_all_", "MPI_File_read_all", "fpitp"},
    {"mpi_file_read_at_all_", "MPI_File_read_at_all", "flpitp"},
    {"mpi_file_iwrite_", "MPI_File_iwrite", "fpitp"},
    {"mpi_file_iwrite_at_", "MPI_File_iwrite_at", "flpitp"},
    {"mpi_file_iread_", "MPI_File_iread", "fpitp"},
    {"mpi_file_iread_at_", "MPI_File_iread_at", "flpitp"},
    {"mpi_file_sync_", "MPI_File_sync", "f"},
    {"mpi_file_set_view_", "MPI_File_set_view", "flttsi"},
    {"mpi_file_seek_", "MPI_File_seek", "fli"},
    {"mpi_file_get_size_", "MPI_File_get_size", "fp"},
    {"mpi_file_set_size_", "MPI_File_set_size", "fl"},
    {"mpi_file_delete_", "MPI_File_delete", "si"},
    {"mpi_get_count_", "MPI_Get_count", "ptp"},
};

// Addresses that no program has: a text with its end, and a file's handle as C has it.
constexpr Word kText = (Word{1} << 47) + (Word{1} << 21), kHandle = kText - 8;
constexpr Word kFirstFile = 1000;  // handles are descriptors, from here on

// Datatypes of Open MPI are numbered; those of MPICH have their size inside, which is what the models understand.
Value type_of(Value handle) {
  constexpr std::array<Word, 30> kSizes = {0, 1,  1, 0, 0, 1,  4,  4,  1, 2,  4, 8,  16, 4, 4,
                                           8, 16, 8, 8, 8, 16, 32, 16, 8, 16, 8, 16, 32, 0, 1};
  if (!handle.known() || handle.bits >= 100) return handle;
  Word bytes = handle.bits < kSizes.size() ? kSizes[handle.bits] : 0;
  constexpr std::pair<Word, Word> kOthers[] = {{30, 2}, {31, 4}, {32, 8}, {34, 1}, {39, 4}, {41, 8}, {43, 8}, {45, 4},
                                               {46, 8}, {58, 1}, {60, 2}, {62, 4}, {64, 8}, {66, 8}, {67, 8}, {72, 8}};
  for (const auto& [number, size] : kOthers)
    if (number == handle.bits) bytes = size;
  // Then what kind of number it is: logical, real, complex or another pair, whole.
  const Word number = handle.bits;
  const Word kind = number == 6                    ? 0x1d
                    : number >= 13 && number <= 17 ? (bytes == 4 ? 0x0a : 0x0b)
                    : number >= 18 && number <= 29 ? 0x1e
                                                   : 0x05;
  return Value::of(Word{0x4c000000} | bytes << 8U | kind);
}

Value communicator_of(Value handle) {
  return handle.known() && handle.bits < 2 ? Value::of(Word{0x44000000} | handle.bits) : handle;
}

Value number_at(Machine& machine, Value where, unsigned bytes) {
  return where.known() && where.bits != 0 ? machine.memory.load(where.bits, bytes) : where;
}

Value file_of(Machine& machine, Value handle) {
  if (!handle.known() || handle.bits < kFirstFile) return handle;
  const Opened* one = machine.world.at(static_cast<int>(handle.bits - kFirstFile));
  return one == nullptr ? Value::of(Word{0}) : Value::of(one->address);
}

// Without the blanks behind it, and with an end as C has it.
Value text_of(Machine& machine, Value where, Value length, Word& next) {
  std::string text(length.known() ? std::min<Word>(length.bits, 4096) : 0, ' ');
  if (!where.known() || text.empty() || !machine.memory.read(where.bits, text.data(), text.size())) return where;
  text.erase(text.find_last_not_of(' ') + 1);
  const Word at = next;
  machine.memory.write(at, text.c_str(), text.size() + 1);
  next += 8192;
  return Value::of(at);
}

Value argument_of(Machine& machine, char kind, Value given) {
  switch (kind) {
    case 'i': return number_at(machine, given, 4);
    case 'l': return number_at(machine, given, 8);
    case 'c': return communicator_of(number_at(machine, given, 4));
    case 't': return type_of(number_at(machine, given, 4));
    case 'f': return file_of(machine, number_at(machine, given, 4));
    case 'G': machine.memory.store(kHandle, 8, file_of(machine, number_at(machine, given, 4))); [[fallthrough]];
    case 'F': return Value::of(kHandle);
    default: return given;
  }
}

void fortran_model(Machine& machine, Call& call) {
  const auto* shape = std::ranges::find(kShapes, call.name, &Shape::fortran);
  const Model model = mpi_model_of(shape->c);
  const std::vector<Value> given = call.arguments;
  const auto texts = static_cast<std::size_t>(std::ranges::count(shape->arguments, 's'));
  std::size_t index = 0, text = 0;
  Word next = kText;
  call.arguments.clear();
  for (const char kind : shape->arguments) {
    if (kind == '-') {
      call.arguments.push_back(Value::of(Word{0}));
      continue;
    }
    const Value one = index < given.size() ? given[index] : Value{};
    const std::size_t length = given.size() - texts + text;
    if (kind == 's')
      call.arguments.push_back(text_of(machine, one, given[std::min(length, given.size() - 1)], next)), ++text;
    else call.arguments.push_back(argument_of(machine, kind, one));
    ++index;
  }
  if (shape->arguments.ends_with('F')) machine.memory.store(kHandle, 8, Value::of(Word{0}));
  call.name = shape->c;
  model(machine, call);
  if (shape->arguments.ends_with('F') && given[index - 1].known()) {
    const Opened* one = machine.world.stream(machine.memory.load(kHandle, 8).bits);
    if (one != nullptr)
      machine.memory.store(given[index - 1].bits, 4, Value::of(kFirstFile + static_cast<Word>(one->descriptor)));
  }
  const bool tells = given.size() > index + texts && given[index].known() && given[index].bits != 0;
  if (tells) machine.memory.store(given[index].bits, 4, Value::of(Word{0}));
}

}  // namespace

std::span<const NamedModel> fortran_mpi_models() {
  static const auto all = [] {
    std::array<NamedModel, std::size(kShapes)> out{};
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = {kShapes[i].fortran, fortran_model};
    return out;
  }();
  return all;
}

}  // namespace trikal::predict
