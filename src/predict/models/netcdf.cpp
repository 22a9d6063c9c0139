// PnetCDF: files of NetCDF's classic formats by MPI-IO. What it calls beneath is known from its documentation of the
// format and from runs under observation: the first rank writes the header and the number of records, each access sets a
// view and is one transfer, requests that wait become one, and work of single ranks opens the file a second time.

#include "predict/models/netcdf.hpp"

#include <algorithm>

#include "predict/models/mpi.hpp"
#include "predict/models/netcdf_posix.hpp"

namespace trikal::predict {
namespace {

constexpr Word kNoClobber = 4, kWrite = 1, kCdf5 = 0x20, kCdf2 = 0x200;  // NC_NOCLOBBER ...
constexpr NetCdfSpacing kSpacing{.align = 512};  // where the first variable may begin
constexpr Word kHeaderChunk = 256 << 10;  // of a header is read at once
constexpr Word kAll = ~Word{0};  // NC_REQ_ALL is -1

void opened(Machine& machine, Call& call, NetCdfFile file) {
  File& on_disk = machine.world.files[file.file];
  on_disk.exists = on_disk.opened = true;
  file.alone = alone(machine, call.argument(0)) || machine.setting.ranks == 1;
  machine.access(call, {file.alone ? Operation::kMpiOpen : Operation::kMpiCollectiveOpen, file.file});
  machine.note("what PnetCDF has MPI-IO do beneath (calls of POSIX) is not counted");
  netcdf_put(machine, call.argument(4), 4, machine.world.netcdf().add(std::move(file)));
}

void create_model(Machine& machine, Call& call) {  // communicator, name, mode, info, id
  const std::string name = name_argument(machine, call, 1);
  const Word mode = call.argument(2).known() ? call.argument(2).bits : 0;
  NetCdfFile file;
  file.file = machine.world.file_named(name);
  if (machine.world.files[file.file].exists && (mode & kNoClobber) != 0 && !machine.setting.left_netcdf.contains(name))
    return netcdf_fails(call, NetCdfProblem::kExists);
  make_empty(machine.world.files[file.file]);
  file.content.format = (mode & kCdf5) != 0 ? 5 : (mode & kCdf2) != 0 ? 2 : 1;
  if (!call.argument(2).known()) file.content.cause = call.argument(2).cause;
  file.defining = true;
  opened(machine, call, std::move(file));
}

// The first rank reads as much as the header may take, and tells the others. Of a short file that they wrote together it
// is assumed that nothing is missing.
void read_header(Machine& machine, const Call& call, std::uint32_t number, Word header) {
  if (machine.setting.rank != 0) return;
  const File& file = machine.world.files[number];
  const bool known = file.original || machine.setting.ranks == 1 || file.size >= kHeaderChunk;
  for (Word at = 0; at == 0 || at < header; at += kHeaderChunk) {
    const Word bytes = readable(machine, call, machine.world.files[number], at, kHeaderChunk);
    move_bytes(machine, call, {Operation::kMpiRead, number, at, bytes, known});
  }
}

void open_model(Machine& machine, Call& call) {  // communicator, name, mode, info, id
  NetCdfFile file;
  file.file = machine.world.file_named(name_argument(machine, call, 1));
  File& on_disk = machine.world.files[file.file];
  const bool left = machine.setting.left_netcdf.contains(on_disk.name);
  if (!netcdf_find_content(machine, file)) {
    if (!on_disk.exists && !on_disk.name.starts_with("<unknown")) return netcdf_fails(call, NetCdfProblem::kMissing);
    if (on_disk.original) return netcdf_fails(call, NetCdfProblem::kNotNetCdf);
    file.content.cause = machine.unknown(call.at, "what lies in " + on_disk.name).cause;
  }
  if (left && on_disk.size == 0) on_disk.size = file.content.size();
  file.writable = call.argument(2).known() && (call.argument(2).bits & kWrite) != 0;
  const std::uint32_t number = file.file;
  const Word header = file.content.header_bytes;
  opened(machine, call, std::move(file));
  read_header(machine, call, number, header);
}

// Data that lies where it cannot stay is read and written by all: who moves which bytes is the library's own.
void move_data(Machine& machine, const Call& call, const NetCdfFile& file, const NetCdfContent& before) {
  bool fixed = false, records = false;
  for (std::size_t i = 0; i < before.variables.size(); ++i) {
    if (before.variables[i].begin == file.content.variables[i].begin) continue;
    (before.has_records(before.variables[i]) ? records : fixed) = true;
  }
  for (const bool moves : {records && before.records > 0, fixed}) {
    if (!moves) continue;
    netcdf_move(machine, call, file, {0, 0, false, true, false});
    move_bytes(machine, call, {Operation::kMpiCollectiveWrite, file.file, 0, 0, false});
  }
}

void end_definitions(Machine& machine, const Call& call, NetCdfFile& file) {
  const NetCdfContent before = file.content;
  file.content.lay_out(kSpacing);
  if (before.header_bytes > 0) move_data(machine, call, file, before);
  netcdf_write_header(machine, call, file);
  const bool fixed = std::ranges::any_of(file.content.variables,
                                         [&](const NetCdfVariable& one) { return !file.content.has_records(one); });
  if (file.filling && fixed) {
    machine.access(call, {Operation::kMpiSetView, file.file});
    netcdf_move(machine, call, file, {0, 0, true, true, false});
  }
  file.defining = false;
}

void enddef_model(Machine& machine, Call& call) {
  NetCdfFile* file = netcdf_file(machine, call);
  if (file == nullptr) return;
  if (!file->defining) return netcdf_fails(call, NetCdfProblem::kNotDefining);
  if (call.name == "ncmpi__enddef")  // its alignments are the program's
    file->content.cause = machine.unknown(call.at, "the alignment of ncmpi__enddef").cause;
  end_definitions(machine, call, *file);
}
void redef_model(Machine& machine, Call& call) {
  NetCdfFile* file = netcdf_file(machine, call);
  if (file == nullptr) return;
  if (!file->writable) return netcdf_fails(call, NetCdfProblem::kReadOnly);
  if (file->defining) return netcdf_fails(call, NetCdfProblem::kDefining);
  file->defining = true;
}

void begin_model(Machine& machine, Call& call) {
  NetCdfFile* file = netcdf_file(machine, call);
  if (file == nullptr) return;
  if (file->defining) return netcdf_fails(call, NetCdfProblem::kDefining);
  if (!file->opened_alone) machine.access(call, {Operation::kMpiOpen, file->file});
  file->independent = file->opened_alone = true;
}

// How many records there are: written when single ranks have done their work, whether or not it changed.
void write_records(Machine& machine, const Call& call, const NetCdfFile& file) {
  if (machine.setting.rank != 0 && !file.alone) return;
  if (file.writable)
    move_bytes(machine, call, {Operation::kMpiWrite, file.file, 4, file.content.format == 5 ? Word{8} : Word{4}});
}
void end_independent(Machine& machine, const Call& call, NetCdfFile& file) {
  const bool records = std::ranges::any_of(file.content.variables,
                                           [&](const NetCdfVariable& one) { return file.content.has_records(one); });
  if (records) write_records(machine, call, file);
}
void end_model(Machine& machine, Call& call) {
  NetCdfFile* file = netcdf_file(machine, call);
  if (file == nullptr) return;
  if (!file->independent) return netcdf_fails(call, NetCdfProblem::kNotIndependent);
  end_independent(machine, call, *file);
  file->independent = false;
}

void sync_model(Machine& machine, Call& call) {
  NetCdfFile* file = netcdf_file(machine, call);
  if (file == nullptr) return;
  if (file->defining) return netcdf_fails(call, NetCdfProblem::kDefining);
  if (file->independent) end_independent(machine, call, *file);
  if (call.name == "ncmpi_sync_numrecs") return;
  machine.access(call, {Operation::kMpiSync, file->file});
  if (file->opened_alone) machine.access(call, {Operation::kMpiSync, file->file});
}

void close_model(Machine& machine, Call& call) {
  NetCdfFile* file = netcdf_file(machine, call);
  if (file == nullptr) return;
  if (file->defining) end_definitions(machine, call, *file);
  if (file->independent) end_independent(machine, call, *file);
  machine.access(call, {Operation::kMpiClose, file->file});
  machine.world.netcdf().close(call.argument(0).bits);
}
void abort_model(Machine& machine, Call& call) {
  NetCdfFile* file = netcdf_file(machine, call);
  if (file == nullptr) return;
  machine.access(call, {Operation::kMpiClose, file->file});
  machine.world.netcdf().close(call.argument(0).bits);
}

// Requests of one kind become one access. Of some of several, which bytes those are is not followed: an equal share.
void wait_for(Machine& machine, const Call& call, NetCdfFile& file, NetCdfWaiting& all, Word asked, Word waiting) {
  const bool writes = &all == &file.puts;
  if (all.count == 0) return;
  const bool whole = asked >= waiting;
  const Word count = whole ? all.count : std::max<Word>(1, all.count * asked / waiting);
  const Word bytes = whole ? all.bytes : all.bytes * count / all.count;
  const Word size = machine.world.files[file.file].size;  // they lie here and there: it is known already
  netcdf_move(machine, call, file, {0, bytes, writes, !file.independent, all.known && whole});
  machine.world.files[file.file].size = size;
  if (writes) netcdf_grow(machine, call, file, all.records, !file.independent);
  all.count -= count, all.bytes -= bytes;
  if (all.count == 0) all = NetCdfWaiting{};
}

void wait_model(Machine& machine, Call& call) {  // id, number, requests, statuses
  NetCdfFile* file = netcdf_file(machine, call);
  if (file == nullptr) return;
  const Value number = call.argument(1);
  const Word waiting = file->puts.count + file->gets.count;
  const bool all = !number.known() || lowest(number.bits, 32) == lowest(kAll, 32);
  const Word asked = all ? waiting : number.bits;
  if (asked == 0) return;
  for (Word i = 0; !all && i < std::min<Word>(asked, 1024) && call.argument(3).known() && call.argument(3).bits != 0;
       ++i)
    machine.memory.store(call.argument(3).bits + 4 * i, 4, Value::of(Word{0}));
  wait_for(machine, call, *file, file->puts, asked, waiting);
  wait_for(machine, call, *file, file->gets, asked, waiting);
}

void fill_model(Machine& machine, Call& call) {  // id, mode, where the old one is put
  NetCdfFile* file = netcdf_file(machine, call);
  if (file == nullptr) return;
  netcdf_put(machine, call.argument(2), 4, file->filling ? 0 : 0x100);
  file->filling = call.argument(1).known() && call.argument(1).bits == 0;  // NC_FILL
}
void fill_record_model(Machine& machine, Call& call) {  // id, variable, record
  NetCdfFile* file = netcdf_file(machine, call);
  if (file == nullptr || netcdf_variable(machine, call, *file, 1) == nullptr) return;
  netcdf_move(machine, call, *file, {0, 0, true, true, false});
  if (call.argument(2).known()) netcdf_grow(machine, call, *file, call.argument(2).bits + 1, true);
}

void text_model(Machine& machine, Call& call) {
  const Word text = machine.world.take(32);
  machine.memory.write(text, "what PnetCDF says", 18);
  call.returns(Value::of(text));
}

constexpr NamedModel kNetcdfModels[] = {
    {"ncmpi_create", create_model},      {"ncmpi_open", open_model},        {"ncmpi_enddef", enddef_model},
    {"ncmpi__enddef", enddef_model},     {"ncmpi_redef", redef_model},      {"ncmpi_begin_indep_data", begin_model},
    {"ncmpi_end_indep_data", end_model}, {"ncmpi_sync", sync_model},        {"ncmpi_sync_numrecs", sync_model},
    {"ncmpi_close", close_model},        {"ncmpi_abort", abort_model},      {"ncmpi_wait", wait_model},
    {"ncmpi_wait_all", wait_model},      {"ncmpi_set_fill", fill_model},    {"ncmpi_fill_var_rec", fill_record_model},
    {"ncmpi_buffer_attach", succeeds},   {"ncmpi_buffer_detach", succeeds}, {"ncmpi_strerror", text_model},
    {"ncmpi_strerrno", text_model},      {"ncmpi_inq_libvers", text_model},
};

}  // namespace

void netcdf_fails(Call& call, NetCdfProblem why) {
  call.returns(Value::of(lowest(static_cast<Word>(std::int64_t{static_cast<int>(why)}), 32)));
}

NetCdfFile* netcdf_posix_file(Machine& machine, Value id) {
  NetCdfFile* file = (id.bits & 0xffff) == 0 ? machine.world.netcdf().at(netcdf_posix_slot(id.bits)) : nullptr;
  return file != nullptr && file->posix.used ? file : nullptr;
}

bool netcdf_find_content(Machine& machine, NetCdfFile& file) {
  const File& on_disk = machine.world.files[file.file];
  auto& left = machine.world.netcdf().left;
  if (const auto own = left.find(file.file); own != left.end()) return file.content = own->second, true;
  if (const auto others = machine.setting.left_netcdf.find(on_disk.name); others != machine.setting.left_netcdf.end())
    return file.content = others->second, true;
  if (!on_disk.original) return false;
  auto found = read_netcdf(path_on_disk(on_disk));
  if (found) file.content = std::move(*found);
  return found.has_value();
}

NetCdfFile* netcdf_file(Machine& machine, Call& call) {
  const Value id = call.argument(0);
  const bool posix = netcdf_by_posix(call);
  if (!id.known() && posix) return netcdf_not_followed(machine, call, "on a file that is not followed"), nullptr;
  if (!id.known()) return call.returns(id), nullptr;
  NetCdfFile* file = posix ? netcdf_posix_file(machine, id) : machine.world.netcdf().at(id.bits);
  if (file == nullptr) netcdf_fails(call, NetCdfProblem::kBadId);
  return file;
}

NetCdfVariable* netcdf_variable(Machine& machine, Call& call, NetCdfFile& file, std::size_t index) {
  const Value number = call.argument(index);
  if (!number.known()) return call.returns(machine.unknown(call.at, "a variable that is not known")), nullptr;
  if (number.bits < file.content.variables.size()) return &file.content.variables[number.bits];
  return netcdf_fails(call, NetCdfProblem::kNoVariable), nullptr;
}

void netcdf_put(Machine& machine, Value to, unsigned bytes, Word value) {
  if (to.known() && to.bits != 0) machine.memory.store(to.bits, bytes, Value::of(value));
}

void netcdf_move(Machine& machine, const Call& call, const NetCdfFile& file, const NetCdfMove& move) {
  const bool known = move.known && file.content.cause == kKnown;
  machine.access(call, {Operation::kMpiSetView, file.file});
  const Operation operation = move.writes ? (move.collective ? Operation::kMpiCollectiveWrite : Operation::kMpiWrite)
                                          : (move.collective ? Operation::kMpiCollectiveRead : Operation::kMpiRead);
  move_bytes(machine, call, {operation, file.file, move.offset, move.bytes, known});
}

void netcdf_grow(Machine& machine, const Call& call, NetCdfFile& file, Word records, bool collective) {
  machine.compare(call, records, file.content.records);
  if (records <= file.content.records) return;
  file.content.records = records;
  if (collective) write_records(machine, call, file);
}

void netcdf_write_header(Machine& machine, const Call& call, NetCdfFile& file) {
  if (machine.setting.rank != 0 && !file.alone) return;
  move_bytes(machine, call,
             {Operation::kMpiWrite, file.file, 0, file.content.header_bytes, file.content.cause == kKnown});
}

Model netcdf_model_for(std::string_view name) {
  if (const Model transfer = netcdf_transfer_model(name)) return transfer;
  if (const Model define = netcdf_define_model(name)) return define;
  return netcdf_posix_other(name);
}

std::span<const NamedModel> netcdf_models() { return kNetcdfModels; }

}  // namespace trikal::predict
