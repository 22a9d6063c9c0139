// NetCDF's own functions for its classic formats: files. Beneath are POSIX calls through a buffer of two blocks
// (world/netcdf_buffer.hpp). NetCDF-4 files are HDF5's, and are not followed.

#include "predict/models/netcdf_posix.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace trikal::predict {
namespace {

// NC_NOCLOBBER ...
constexpr Word kWrite = 1, kNoClobber = 4, kDiskless = 8, kMapped = 0x10, kCdf5 = 0x20, kOther = 0x40 | 0x80 | 0x400,
               kCdf2 = 0x200, kShared = 0x800, kNetCdf4 = 0x1000, kParallel = 0x2000, kInMemory = 0x8000;
constexpr Word kNotFollowed = kDiskless | kMapped | kOther | kNetCdf4 | kParallel | kInMemory;
constexpr Word kLeastBlock = 256, kMostBlock = Word{1} << 28;

void opened(Machine& machine, Call& call, NetCdfFile& file) {
  File& on_disk = machine.world.files[file.file];
  on_disk.exists = on_disk.opened = true;
  on_disk.flags = 0;
  file.posix.used = true;
  file.posix.descriptor = machine.world.open(file.file);
  machine.access(call, {Operation::kOpen, file.file});
}

void give_id(Machine& machine, Value to, NetCdfFile file) {
  netcdf_put(machine, to, 4, netcdf_posix_id(machine.world.netcdf().add(std::move(file))));
}

// Two pages, or what the program wants (nc__create, nc__open), which is told what it got.
Word block_size(Machine& machine, const Call& call, std::size_t index, bool given, bool& known) {
  const Word usual = 2 * static_cast<Word>(::sysconf(_SC_PAGESIZE));
  const Value pointer = call.argument(index);
  if (!given || (pointer.known() && pointer.bits == 0)) return usual;
  const Value hint = pointer.known() ? machine.memory.load(pointer.bits, 8) : pointer;
  known = known && hint.known();
  const Word block = !hint.known() || hint.bits < kLeastBlock ? usual : std::min(kMostBlock, (hint.bits + 7) / 8 * 8);
  netcdf_put(machine, pointer, 8, block);
  return block;
}

int format_of(Word mode, const NetCdf& all) {
  if ((mode & kCdf5) != 0) return 5;
  if ((mode & kCdf2) != 0) return 2;
  return all.default_format;
}

// (name, mode, id), or (name, mode, first size, block, id)
void create_model(Machine& machine, Call& call) {
  const bool given = call.name == "nc__create";
  const Value mode = call.argument(1), first = given ? call.argument(2) : Value::of(Word{0});
  const std::string name = name_argument(machine, call, 0);
  const std::uint32_t number = machine.world.file_named(name);
  const int format = format_of(mode.bits, machine.world.netcdf());
  const bool folder = folder_exists(machine, name);
  File& on_disk = machine.world.files[number];
  if (mode.known() && (mode.bits & kCdf5) != 0 && (mode.bits & (kCdf2 | kNetCdf4)) != 0)
    return netcdf_fails(call, NetCdfProblem::kInvalid);
  if (!mode.known() || (mode.bits & kNotFollowed) != 0 || format == 3 || format == 4) {
    on_disk.exists = true, on_disk.original = on_disk.size_known = false;
    on_disk.content.reset();
    machine.world.netcdf().left.erase(number);
    return netcdf_not_followed(machine, call, "for a file that is not a classic one (NetCDF-4 is HDF5's)");
  }
  if (on_disk.exists && (mode.bits & kNoClobber) != 0) return netcdf_fails(call, NetCdfProblem::kExists);
  if (!folder) return call.returns(Value::of(Word{ENOENT}));
  replace(machine, call, on_disk);
  machine.world.netcdf().left.erase(number);
  NetCdfFile file;
  file.file = number;
  file.content.format = format;
  file.defining = file.filling = file.posix.fresh = true;
  bool known = first.known();
  file.posix.buffer = NetCdfBuffer(block_size(machine, call, 3, given, known), true, (mode.bits & kShared) != 0);
  file.posix.unsure = !known;
  opened(machine, call, file);
  NetCdfCalls calls(machine, call, file);
  const Word header = file.content.header();
  calls.lengthen(std::max(header, first.known() ? first.bits : 0), 8);
  calls.take(0, header, true);
  give_id(machine, call.argument(given ? 4 : 2), std::move(file));
}

// What kind of file it is, is looked up by a stream first.
void look_at_kind(Machine& machine, const Call& call, std::uint32_t number) {
  constexpr Word kLooked = 1024;
  machine.access(call, {Operation::kStreamOpen, number});
  machine.access(call, {Operation::kSeek, number});  // how long is it? Asked of the descriptor
  for (int i = 0; i < 2; ++i) machine.access(call, {Operation::kStreamSeek, number});
  const File& on_disk = machine.world.files[number];
  const Word bytes = readable(machine, call, on_disk, 0, kLooked);
  move_bytes(machine, call, {Operation::kStreamRead, number, 0, bytes, on_disk.size_known});
  machine.access(call, {Operation::kStreamClose, number});
}

void read_header(NetCdfCalls& calls, NetCdfFile& file, bool first) {
  constexpr Word kFirst = 4096;
  const NetCdfContent none{.format = file.content.format};
  const Word block = file.posix.buffer.block();
  Word extent = std::min(file.content.header_bytes, block);
  if (first || file.content.header_bytes <= none.header()) {
    calls.stat();
    extent = std::min({block, kFirst, calls.size()});
  }
  calls.flush();
  netcdf_pass_header(calls, file.content, extent, false);
}

// Neither missing nor one of another kind: then the call has returned.
bool can_be_opened(Machine& machine, Call& call, NetCdfFile& file) {
  const std::string name = machine.world.files[file.file].name;
  const bool left = machine.setting.left_netcdf.contains(name);
  const bool found = netcdf_find_content(machine, file);
  File& on_disk = machine.world.files[file.file];
  if (!on_disk.exists && !left && !name.starts_with("<unknown")) return call.returns(Value::of(Word{ENOENT})), false;
  if (left && on_disk.size == 0) on_disk.size = file.content.size();
  if (found && file.content.cause == kKnown && on_disk.size >= file.content.header_bytes) return true;
  if (!found && on_disk.original && !netcdf_is_hdf5(path_on_disk(on_disk))) {
    look_at_kind(machine, call, file.file);
    return netcdf_fails(call, NetCdfProblem::kNotNetCdf), false;
  }
  netcdf_not_followed(machine, call, "for a file that is not known to be a classic one (NetCDF-4 is HDF5's)");
  return false;
}

// (name, mode, id), or (name, mode, block, id)
void open_model(Machine& machine, Call& call) {
  const bool given = call.name == "nc__open";
  const Value mode = call.argument(1);
  if (!mode.known() || (mode.bits & (kNotFollowed & ~kNetCdf4)) != 0)
    return netcdf_not_followed(machine, call, "in a mode that is not followed");
  NetCdfFile file;
  file.file = machine.world.file_named(name_argument(machine, call, 0));
  if (!can_be_opened(machine, call, file)) return;
  file.writable = (mode.bits & kWrite) != 0;
  file.filling = true;
  for (NetCdfVariable& one : file.content.variables) one.unfilled = false;  // that is not in the file
  bool known = true;
  file.posix.buffer = NetCdfBuffer(block_size(machine, call, 2, given, known), false, (mode.bits & kShared) != 0);
  file.posix.unsure = !known;
  look_at_kind(machine, call, file.file);
  opened(machine, call, file);
  NetCdfCalls calls(machine, call, file);
  read_header(calls, file, true);
  give_id(machine, call.argument(given ? 3 : 2), std::move(file));
}

// (id), or (id, free behind the header, alignment of variables, free behind them, alignment of records)
void enddef_model(Machine& machine, Call& call) {
  NetCdfFile* file = netcdf_file(machine, call);
  if (file == nullptr) return;
  if (!file->defining) return netcdf_fails(call, NetCdfProblem::kNotDefining);
  NetCdfSpacing spacing;
  if (call.name == "nc__enddef") {
    std::array<Word*, 4> wanted = {&spacing.header_free, &spacing.align, &spacing.data_free, &spacing.record_align};
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      const Value told = call.argument(i + 1);
      if (!told.known()) file->content.cause = told.cause;
      else *wanted[i] = told.bits;
    }
    if (spacing.align == lowest(~Word{0}, 32) || spacing.align == ~Word{0}) spacing.align = file->posix.buffer.block();
    if (spacing.record_align == lowest(~Word{0}, 32) || spacing.record_align == ~Word{0})
      spacing.record_align = file->posix.buffer.block();
    spacing.align = std::max<Word>(spacing.align, 1), spacing.record_align = std::max<Word>(spacing.record_align, 1);
  }
  NetCdfCalls calls(machine, call, *file);
  netcdf_end_definitions(calls, *file, spacing);
}

void redef_model(Machine& machine, Call& call) {
  NetCdfFile* file = netcdf_file(machine, call);
  if (file == nullptr) return;
  if (!file->writable) return netcdf_fails(call, NetCdfProblem::kReadOnly);
  if (file->defining) return netcdf_fails(call, NetCdfProblem::kDefining);
  NetCdfCalls calls(machine, call, *file);
  if (file->posix.buffer.shared()) read_header(calls, *file, false);
  file->posix.before = std::make_shared<const NetCdfContent>(file->content);
  file->defining = true;
}

void sync_model(Machine& machine, Call& call) {
  NetCdfFile* file = netcdf_file(machine, call);
  if (file == nullptr) return;
  if (file->defining) return netcdf_fails(call, NetCdfProblem::kDefining);
  NetCdfCalls calls(machine, call, *file);
  if (!file->writable) return read_header(calls, *file, false);
  netcdf_update(calls, *file);
  calls.flush();
}

// The id is free again; what is left in the file is known to whoever opens it next.
void forget(Machine& machine, const Call& call, const NetCdfFile& file) {
  machine.access(call, {Operation::kClose, file.file});
  machine.world.close(file.posix.descriptor);
  machine.world.netcdf().close(netcdf_posix_slot(call.argument(0).bits));
}

void close_model(Machine& machine, Call& call) {
  NetCdfFile* file = netcdf_file(machine, call);
  if (file == nullptr) return;
  NetCdfCalls calls(machine, call, *file);
  if (file->defining) {
    netcdf_end_definitions(calls, *file, {});
  } else if (file->writable) {
    netcdf_update(calls, *file);
    calls.flush();
  }
  calls.stat();
  const Word least = file->content.least_size();
  machine.compare(call, least, calls.size());
  if (file->writable && calls.size() < least) {
    calls.flush();
    calls.lengthen(least, 1);
  }
  calls.flush();
  forget(machine, call, *file);
}

// Definitions that were begun are as if they had not been; a file that was being made is gone.
void abort_model(Machine& machine, Call& call) {
  NetCdfFile* file = netcdf_file(machine, call);
  if (file == nullptr) return;
  NetCdfCalls calls(machine, call, *file);
  const bool remove = file->posix.fresh;
  const std::uint32_t number = file->file;
  if (file->posix.before) file->content = *file->posix.before;
  else if (file->writable) netcdf_update(calls, *file);
  calls.flush();
  forget(machine, call, *file);
  if (!remove) return;
  machine.access(call, {Operation::kRemove, number});
  machine.world.netcdf().left.erase(number);
  File& on_disk = machine.world.files[number];
  on_disk.exists = on_disk.original = false;
}

void fill_model(Machine& machine, Call& call) {  // id, mode, where the old one is put
  constexpr Word kNoFill = 0x100;
  NetCdfFile* file = netcdf_file(machine, call);
  if (file == nullptr) return;
  if (!file->writable) return netcdf_fails(call, NetCdfProblem::kReadOnly);
  const Value mode = call.argument(1);
  if (mode.known() && mode.bits != 0 && mode.bits != kNoFill) return netcdf_fails(call, NetCdfProblem::kInvalid);
  if (!mode.known()) file->posix.unsure = true;
  NetCdfCalls calls(machine, call, *file);
  const bool fills = mode.known() && mode.bits == 0;
  if (fills && !file->filling) netcdf_update(calls, *file);
  netcdf_put(machine, call.argument(2), 4, file->filling ? 0 : kNoFill);
  file->filling = fills;
  for (NetCdfVariable& one : file->content.variables) one.unfilled = !fills;
}

void def_fill_model(Machine& machine, Call& call) {  // id, variable, whether not, value
  NetCdfFile* file = netcdf_file(machine, call);
  NetCdfVariable* one = file != nullptr ? netcdf_variable(machine, call, *file, 1) : nullptr;
  if (one == nullptr) return;
  if (!file->defining) return netcdf_fails(call, NetCdfProblem::kNotDefining);
  const Value no = call.argument(2), value = call.argument(3);
  if (!no.known() || !value.known()) file->content.cause = no.known() ? value.cause : no.cause;
  one->unfilled = no.bits != 0;
  if (!one->unfilled && value.bits != 0) one->attributes["_FillValue"] = {one->type, 1, {}};
}

void default_format_model(Machine& machine, Call& call) {  // format, where the old one is put
  NetCdf& all = machine.world.netcdf();
  netcdf_put(machine, call.argument(1), 4, static_cast<Word>(all.default_format));
  const Value format = call.argument(0);
  all.default_format = format.known() ? static_cast<int>(format.bits) : 3;  // then files are not followed
}

void delete_model(Machine& machine, Call& call) {
  const std::uint32_t number = machine.world.file_named(name_argument(machine, call, 0));
  netcdf_not_followed(machine, call, "");
  machine.world.files[number].exists = machine.world.files[number].original = false;
  machine.world.netcdf().left.erase(number);
}

void text_model(Machine& machine, Call& call) {
  const Word text = machine.world.take(32);
  machine.memory.write(text, "what NetCDF says", 17);
  call.returns(Value::of(text));
}

// Of NetCDF-4 only: classic files refuse it.
void refused_model(Machine& machine, Call& call) {
  if (netcdf_file(machine, call) != nullptr) netcdf_fails(call, NetCdfProblem::kNotNetCdf4);
}

// What has no model may have changed the file: numbers are assumed from there on.
void other_model(Machine& machine, Call& call) {
  NetCdfFile* file = call.argument(0).known() ? netcdf_posix_file(machine, call.argument(0)) : nullptr;
  if (file != nullptr && !call.name.starts_with("nc_inq")) file->posix.unsure = true;
  netcdf_not_followed(machine, call, "");
}

constexpr NamedModel kNetcdfPosixModels[] = {
    {"nc_create", create_model},
    {"nc__create", create_model},
    {"nc_open", open_model},
    {"nc__open", open_model},
    {"nc_enddef", enddef_model},
    {"nc__enddef", enddef_model},
    {"nc_redef", redef_model},
    {"nc_sync", sync_model},
    {"nc_close", close_model},
    {"nc_abort", abort_model},
    {"nc_set_fill", fill_model},
    {"nc_def_var_fill", def_fill_model},
    {"nc_set_default_format", default_format_model},
    {"nc_delete", delete_model},
    {"nc_strerror", text_model},
    {"nc_inq_libvers", text_model},
    {"nc_def_var_chunking", refused_model},
    {"nc_def_var_deflate", refused_model},
    {"nc_def_var_fletcher32", refused_model},
    {"nc_def_var_endian", refused_model},
    {"nc_def_var_szip", refused_model},
    {"nc_def_grp", refused_model},
};

}  // namespace

void netcdf_not_followed(Machine& machine, Call& call, std::string_view what) {
  const std::string name(call.name);
  machine.unmodelled.insert(what.empty() ? name : name + " " + std::string(what));
  // The first is a name or an id; of what gets data the last is where it is put, and what puts data leaves memory alone.
  const std::size_t last = call.arguments.size();
  const std::size_t first = name.starts_with("nc_put_") ? last : name.starts_with("nc_get_") ? last - 1 : 1;
  for (std::size_t i = first; i < last; ++i)
    machine.forget_behind(call, call.arguments[i], "what " + name + " left behind a pointer");
  const auto assumed = machine.setting.assumed.find(name);
  if (assumed != machine.setting.assumed.end()) return call.returns(Value::of(static_cast<Word>(assumed->second)));
  call.returns(machine.unknown(call.at, "the result of " + name));
}

Model netcdf_posix_other(std::string_view name) { return name.starts_with("nc_") ? other_model : nullptr; }

std::span<const NamedModel> netcdf_posix_models() { return kNetcdfPosixModels; }

}  // namespace trikal::predict
