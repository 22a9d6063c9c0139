// PnetCDF: reading and writing of variables. Functions differ by what they select (whole, one element, a part, with strides,
// several parts), by the type in memory, by whether all ranks call them, and by whether they wait.

#include <algorithm>

#include "predict/models/netcdf_posix.hpp"

namespace trikal::predict {
namespace {

using Shape = NetCdfShape;
using Function = NetCdfFunction;

constexpr std::string_view kTypes[] = {"_text", "_schar", "_uchar",    "_ubyte",     "_short", "_ushort", "_int",
                                       "_uint", "_long",  "_longlong", "_ulonglong", "_float", "_double"};

bool take(std::string_view& name, std::string_view word) {
  if (!name.starts_with(word)) return false;
  name.remove_prefix(word.size());
  return true;
}

struct Selected {
  Word elements = 1, offset = 0, records = 0;
  Word end = 0;  // behind the last element
  Cause cause = kKnown;
  bool refused = false;
};

// From `start` on `count` in each dimension; without counts one.
Selected select(Machine& machine, const Call& call, const NetCdfContent& content, const NetCdfVariable& variable,
                Value starts, Value counts, Value strides) {
  Selected out;
  const Memory::Untold untold(machine.memory);  // ends are compared with the lengths
  const bool grows = content.has_records(variable);
  const Word element = netcdf_bytes(variable.type);
  Word at = 0, last = 0;
  for (std::size_t d = 0; d < variable.dimensions.size(); ++d) {
    const auto number = [&](Value from, Word otherwise) {
      if (from.known() && from.bits == 0) return Value::of(otherwise);
      return from.known() ? machine.memory.load(from.bits + 8 * d, 8) : from;
    };
    const Value start = number(starts, 0), count = number(counts, 1), stride = number(strides, 1);
    for (const Value& one : {start, count, stride})
      if (!one.known()) out.cause = one.cause;
    if (!start.known() || !count.known() || !stride.known()) continue;
    const Word end = count.bits == 0 ? start.bits : start.bits + (count.bits - 1) * stride.bits + 1;
    const Word length = content.dimensions[static_cast<std::size_t>(variable.dimensions[d])].length;
    out.elements *= count.bits;
    if (d == 0 && grows) {
      out.records = end;
      out.offset = start.bits * content.record_bytes;
      out.end = (end > 0 ? end - 1 : 0) * content.record_bytes;
      continue;
    }
    machine.compare(call, end, length);
    out.refused = out.refused || end > length;
    at = at * length + start.bits;
    last = last * length + (end > 0 ? end - 1 : 0);
  }
  out.offset += variable.begin + at * element;
  out.end += variable.begin + (last + 1) * element;
  return out;
}

Selected select_whole(const NetCdfContent& content, const NetCdfVariable& variable) {
  Selected out;
  out.elements = content.elements(variable) * (content.has_records(variable) ? content.records : 1);
  out.offset = variable.begin;
  out.end = variable.begin + content.elements(variable) * netcdf_bytes(variable.type);
  if (content.has_records(variable) && content.records > 0) out.end += (content.records - 1) * content.record_bytes;
  out.records = content.has_records(variable) ? content.records : 0;
  return out;
}

// Several parts: (number, starts of each, counts of each)
Selected select_parts(Machine& machine, const Call& call, const NetCdfContent& content,
                      const NetCdfVariable& variable) {
  constexpr Word kMost = 4096;
  Selected out;
  out.elements = 0;
  const Value number = call.argument(2);
  if (!number.known() || number.bits > kMost) {
    out.cause = number.known() ? machine.unknown(call.at, "very many parts of a variable").cause : number.cause;
    return out;
  }
  for (Word i = 0; i < number.bits; ++i) {
    const auto row = [&](Value table) {
      return table.known() && table.bits != 0 ? machine.memory.load(table.bits + 8 * i, 8) : table;
    };
    const Selected one =
        select(machine, call, content, variable, row(call.argument(3)), row(call.argument(4)), Value::of(Word{0}));
    if (i == 0) out.offset = one.offset;
    out.elements += one.elements, out.records = std::max(out.records, one.records);
    out.end = std::max(out.end, one.end);
    out.refused = out.refused || one.refused;
    if (one.cause != kKnown) out.cause = one.cause;
  }
  return out;
}

Selected selected(Machine& machine, const Call& call, const Function& function, const NetCdfContent& content,
                  const NetCdfVariable& variable) {
  const Value none = Value::of(Word{0});
  switch (function.shape) {
    case Shape::kWhole: return select_whole(content, variable);
    case Shape::kElement: return select(machine, call, content, variable, call.argument(2), none, none);
    case Shape::kParts: return select_parts(machine, call, content, variable);
    case Shape::kPart: return select(machine, call, content, variable, call.argument(2), call.argument(3), none);
    default: return select(machine, call, content, variable, call.argument(2), call.argument(3), call.argument(4));
  }
}

// How long the file is then. Of several ranks each writes a part: together all of the variable, or of its record.
void lengthen(Machine& machine, const NetCdfFile& file, const NetCdfVariable& variable, const Selected& part) {
  if (part.elements == 0 || part.cause != kKnown) return;
  Word end = part.end;
  if (!file.alone) {
    end = variable.begin + file.content.elements(variable) * netcdf_bytes(variable.type);
    if (part.records > 0) end += (part.records - 1) * file.content.record_bytes;
  }
  Word& size = machine.world.files[file.file].size;
  size = std::max(size, end);
}

// Nothing is moved before somebody waits for it.
void post(Machine& machine, const Call& call, NetCdfFile& file, const Function& function, Word bytes, Word records,
          bool known) {
  NetCdfWaiting& all = function.writes ? file.puts : file.gets;
  ++all.count;
  all.bytes += bytes;
  all.records = std::max(all.records, function.writes ? records : 0);
  all.known = all.known && known;
  const std::size_t request = netcdf_buffer_argument(function.shape) + (function.typed ? 1 : 3);
  netcdf_put(machine, call.argument(request), 4, file.next_request++);
}

// Whether PnetCDF refuses: then the call says why.
bool refused(Call& call, const NetCdfFile& file, const Function& function, const Selected& part) {
  if (file.defining && !function.waits) return netcdf_fails(call, NetCdfProblem::kDefining), true;
  if (function.writes && !file.writable) return netcdf_fails(call, NetCdfProblem::kReadOnly), true;
  if (!function.waits && function.collective && file.independent)
    return netcdf_fails(call, NetCdfProblem::kIndependent), true;
  if (!function.waits && !function.collective && !file.independent)
    return netcdf_fails(call, NetCdfProblem::kNotIndependent), true;
  const bool behind = !function.writes && part.records > file.content.records;
  if (part.cause == kKnown && (part.refused || behind)) return netcdf_fails(call, NetCdfProblem::kBadCount), true;
  return false;
}

void transfer_model(Machine& machine, Call& call) {
  const Function function = netcdf_function_of(call.name);
  NetCdfFile* file = netcdf_file(machine, call);
  const NetCdfVariable* variable = file != nullptr ? netcdf_variable(machine, call, *file, 1) : nullptr;
  if (variable == nullptr) return;
  const Selected part = selected(machine, call, function, file->content, *variable);
  if (refused(call, *file, function, part)) return;
  const Word element = netcdf_bytes(variable->type);
  Word bytes = part.elements * element;
  bool known = part.cause == kKnown;
  if (const Word size = machine.world.files[file->file].size; !function.writes && known && part.end > size) {
    if (file->alone && part.offset >= size) bytes = 0;  // nobody has written there
    else known = false;
  }
  const Value buffer = call.argument(netcdf_buffer_argument(function.shape));
  if (!function.writes && buffer.known() && buffer.bits != 0)
    machine.memory.forget(buffer.bits,
                          part.elements * (function.typed ? netcdf_type_in_memory(call.name, element) : element),
                          machine.unknown(call.at, "data read from " + machine.world.files[file->file].name).cause);
  const Word records = part.elements > 0 ? part.records : 0;
  if (function.writes) lengthen(machine, *file, *variable, part);
  if (function.waits) return post(machine, call, *file, function, bytes, records, known);
  if (!function.collective && bytes == 0 && known) return;  // alone, nothing is done for nothing
  netcdf_move(machine, call, *file, {part.offset, bytes, function.writes, function.collective, known});
  if (function.writes) netcdf_grow(machine, call, *file, records, function.collective);
}

}  // namespace

NetCdfFunction netcdf_function_of(std::string_view name) {
  Function out;
  const bool parallel = name.starts_with("ncmpi_");
  name = netcdf_bare_name(name);
  out.waits = parallel && (take(name, "i") || take(name, "b"));
  if (!take(name, "put_")) {
    if (!take(name, "get_")) return out;
    out.writes = false;
  }
  if (!take(name, "var")) return out;
  if (parallel && name.ends_with("_all")) out.collective = true, name.remove_suffix(4);
  Shape shape = Shape::kWhole;
  if (take(name, "1")) shape = Shape::kElement;
  else if (take(name, "a")) shape = Shape::kPart;
  else if (take(name, "s")) shape = Shape::kStrided;
  else if (take(name, "m")) shape = Shape::kMapped;
  else if (parallel && take(name, "n")) shape = Shape::kParts;
  if (!name.empty() && std::ranges::find(kTypes, name) == std::end(kTypes)) return out;  // another function
  out.typed = !name.empty();
  out.shape = shape;
  return out;
}

Word netcdf_type_in_memory(std::string_view name, Word element) {
  struct Size {
    std::string_view type;
    Word bytes;
  };
  constexpr Size kSizes[] = {{"text", 1},     {"schar", 1},     {"uchar", 1}, {"ubyte", 1}, {"short", 2},
                             {"ushort", 2},   {"int", 4},       {"uint", 4},  {"float", 4}, {"long", 8},
                             {"longlong", 8}, {"ulonglong", 8}, {"double", 8}};
  if (name.ends_with("_all")) name.remove_suffix(4);
  const auto found = std::ranges::find(kSizes, name.substr(name.rfind('_') + 1), &Size::type);
  return found == std::end(kSizes) ? element : found->bytes;
}

std::size_t netcdf_buffer_argument(NetCdfShape shape) {
  switch (shape) {
    case Shape::kWhole: return 2;
    case Shape::kElement: return 3;
    case Shape::kPart: return 4;
    case Shape::kStrided:
    case Shape::kParts: return 5;
    default: return 6;
  }
}

Model netcdf_transfer_model(std::string_view name) {
  if (netcdf_function_of(name).shape == Shape::kOther) return nullptr;
  return name.starts_with("ncmpi_") ? transfer_model : netcdf_posix_transfer;
}

}  // namespace trikal::predict
