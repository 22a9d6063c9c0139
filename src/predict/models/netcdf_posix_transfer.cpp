// NetCDF's own functions: reading and writing of variables. A part is gone through run by run of elements that lie together,
// with strides element by element, and each run block by block.

#include <algorithm>
#include <functional>

#include "predict/models/netcdf_posix.hpp"

namespace trikal::predict {
namespace {

using Shape = NetCdfShape;
using Numbers = std::vector<Word>;

constexpr Word kMostRuns = Word{1} << 22;
constexpr Word kLargestStride = 0x7fffffff;

struct Moving {
  NetCdfCalls& calls;
  NetCdfFile& file;
  const NetCdfVariable& variable;
  bool writes = true;
};

struct Chosen {
  Numbers start, count, stride, map;
  bool known = true, mapped = false, no_start = false;
};

Word rank_of(const NetCdfVariable& variable) { return variable.dimensions.size(); }

Word length_of(const NetCdfContent& content, const NetCdfVariable& variable, std::size_t d) {
  const Word length = content.dimensions[static_cast<std::size_t>(variable.dimensions[d])].length;
  return d == 0 && length == 0 ? content.records : length;
}

// One number for each dimension, from the program's memory; without a pointer they are empty.
Numbers numbers_at(Machine& machine, Value from, Word rank, Word otherwise, bool& known) {
  Numbers out;
  if (from.known() && from.bits == 0) return out;
  const Memory::Untold untold(machine.memory);  // parts are compared with what there is
  for (Word d = 0; d < rank; ++d) {
    const Value one = from.known() ? machine.memory.load(from.bits + 8 * d, 8) : from;
    known = known && one.known();
    out.push_back(one.known() ? one.bits : otherwise);
  }
  return out;
}

Chosen part_of(Machine& machine, const Call& call, const NetCdfFunction& function, const NetCdfContent& content,
               const NetCdfVariable& variable) {
  Chosen part;
  const Word rank = rank_of(variable);
  if (function.shape != Shape::kWhole) {
    part.start = numbers_at(machine, call.argument(2), rank, 0, part.known);
    part.no_start = part.start.empty() && rank > 0;
  }
  part.start.resize(rank, 0);
  if (function.shape == Shape::kElement) part.count.assign(rank, 1);
  else if (function.shape != Shape::kWhole) part.count = numbers_at(machine, call.argument(3), rank, 1, part.known);
  for (std::size_t d = part.count.size(); d < rank; ++d) {
    const Word length = length_of(content, variable, d);
    part.count.push_back(length > part.start[d] ? length - part.start[d] : 0);
  }
  if (function.shape == Shape::kStrided || function.shape == Shape::kMapped)
    part.stride = numbers_at(machine, call.argument(4), rank, 1, part.known);
  part.stride.resize(rank, 1);
  if (function.shape == Shape::kMapped) part.map = numbers_at(machine, call.argument(5), rank, 1, part.known);
  part.mapped = !part.map.empty();
  return part;
}

// Every combination of numbers below `count`, the last one first; whether it went through to the end.
bool each(const Numbers& count, const std::function<bool(const Numbers&)>& call) {
  if (std::ranges::find(count, Word{0}) != count.end()) return true;
  Numbers at(count.size(), 0);
  for (;;) {
    if (!call(at)) return false;
    std::size_t d = count.size();
    while (d > 0 && ++at[d - 1] == count[d - 1]) at[--d] = 0;
    if (d == 0) return true;
  }
}

// Zero, or why the part is refused.
int refused(const Moving& one, const Numbers& start, const Numbers& count) {
  const NetCdfContent& content = one.file.content;
  const bool grows = content.has_records(one.variable);
  const auto outside = [&](std::size_t d) {
    const Word length = length_of(content, one.variable, d);
    one.calls.looked(start[d] + (count[d] > 0 ? 1 : 0), length);
    return start[d] > length || (start[d] == length && count[d] > 0);
  };
  const bool sees_records = !one.writes || !grows;
  for (std::size_t d = 0; d < start.size(); ++d)
    if ((d > 0 || !grows || !one.file.writable) && outside(d)) return static_cast<int>(NetCdfProblem::kBadCoordinates);
  for (std::size_t d = 0; d < start.size(); ++d) {
    if (d == 0 && !sees_records) continue;
    one.calls.looked(start[d] + count[d], length_of(content, one.variable, d));
    if (start[d] + count[d] > length_of(content, one.variable, d)) return static_cast<int>(NetCdfProblem::kBadCount);
  }
  return 0;
}

// Records up to there are in the file now, and filled.
void grow(const Moving& one, Word records) {
  NetCdfContent& content = one.file.content;
  one.calls.looked(records, content.records);
  if (records <= content.records) return;
  one.file.posix.records_changed = true;
  const bool fills = one.file.filling;  // what is said of a single variable does not count here
  one.calls.looked(records, content.records + 1);
  if (fills && records - content.records > kMostRuns) one.file.posix.unsure = true;
  else if (fills)
    for (Word record = content.records; record < records; ++record)
      for (const NetCdfVariable& variable : content.variables)
        if (content.has_records(variable)) one.calls.fill(variable, record);
  content.records = records;
  if (one.file.posix.buffer.shared()) netcdf_write_records(one.calls, one.file);
}

Word offset_of(const Moving& one, const Numbers& at) {
  const NetCdfContent& content = one.file.content;
  const bool grows = content.has_records(one.variable);
  Word element = 0;
  for (std::size_t d = grows ? 1 : 0; d < at.size(); ++d)
    element = element * length_of(content, one.variable, d) + at[d];
  return one.variable.begin + element * netcdf_bytes(one.variable.type) + (grows ? at[0] * content.record_bytes : 0);
}

// Elements that lie together: from which dimension on.
struct Runs {
  std::size_t dimension = 0;
  Word elements = 1;
};
Runs runs_of(const Moving& one, const Numbers& count) {
  const NetCdfContent& content = one.file.content;
  const bool grows = content.has_records(one.variable);
  if (grows && count.size() == 1 && content.record_bytes <= one.variable.bytes) return {0, count[0]};
  Runs out{count.size(), 1};
  while (out.dimension > (grows ? 1 : 0)) {
    --out.dimension;
    out.elements *= count[out.dimension];
    if (count[out.dimension] < length_of(content, one.variable, out.dimension)) break;
  }
  return out;
}

// A part without strides. Zero, or why it was refused.
int transfer(const Moving& one, const Numbers& start, const Numbers& count) {
  if (const int problem = refused(one, start, count); problem != 0) return problem;
  const Word element = netcdf_bytes(one.variable.type);
  const bool grows = one.file.content.has_records(one.variable);
  if (grows && one.writes) grow(one, start[0] + count[0]);
  const Runs runs = runs_of(one, count);
  Word left = kMostRuns;
  const Numbers outer(count.begin(), count.begin() + static_cast<std::ptrdiff_t>(runs.dimension));
  const bool all = each(outer, [&](const Numbers& at) {
    Numbers location = start;
    for (std::size_t d = 0; d < at.size(); ++d) location[d] += at[d];
    if (runs.elements > 0) one.calls.take(offset_of(one, location), runs.elements * element, one.writes);
    return --left > 0;
  });
  if (!all) one.file.posix.unsure = true;
  return 0;
}

// Element by element, or row by row where a map leaves the last dimension as it is.
int transfer_pieces(const Moving& one, const Chosen& part) {
  Numbers steps = part.count, size(part.count.size(), 1);
  if (part.mapped && part.stride.back() == 1 && part.map.back() == 1) size.back() = part.count.back(), steps.back() = 1;
  if (std::ranges::find(part.count, Word{0}) != part.count.end()) return 0;
  Word left = kMostRuns;
  int problem = 0;
  const bool all = each(steps, [&](const Numbers& at) {
    Numbers location = part.start;
    for (std::size_t d = 0; d < at.size(); ++d) location[d] += at[d] * part.stride[d];
    if (const int failed = transfer(one, location, size); failed != 0) problem = failed;
    return --left > 0;
  });
  if (!all) one.file.posix.unsure = true;
  return problem;
}

int transfer_part(const Moving& one, const Chosen& part) {
  if (part.no_start) return static_cast<int>(NetCdfProblem::kBadCoordinates);
  for (const Word stride : part.stride)
    if (stride == 0 || stride >= kLargestStride) return static_cast<int>(NetCdfProblem::kBadStride);
  const bool straight = std::ranges::all_of(part.stride, [](Word stride) { return stride == 1; });
  if (part.start.empty() || (straight && !part.mapped)) return transfer(one, part.start, part.count);
  const NetCdfContent& content = one.file.content;
  for (std::size_t d = content.has_records(one.variable) ? 1 : 0; d < part.start.size(); ++d) {
    const Word length = length_of(content, one.variable, d);
    if (part.start[d] > length || (part.start[d] == length && part.count[d] > 0))
      return static_cast<int>(NetCdfProblem::kBadCoordinates);
    if (part.start[d] + part.count[d] > length) return static_cast<int>(NetCdfProblem::kBadCount);
  }
  return transfer_pieces(one, part);
}

// What is read is not known.
void forget_memory(Machine& machine, const Call& call, const NetCdfFile& file, const Chosen& part, Value to,
                   Word bytes) {
  if (!to.known() || to.bits == 0) return;
  Word elements = 1;
  for (std::size_t d = 0; d < part.count.size(); ++d)
    if (part.mapped) elements += (std::max<Word>(part.count[d], 1) - 1) * part.map[d];
    else elements *= part.count[d];
  machine.memory.forget(to.bits, elements * bytes,
                        machine.unknown(call.at, "data read from " + machine.world.files[file.file].name).cause);
}

// Whether NetCDF refuses before it looks at the part: then the call says why.
bool refused_at_all(Call& call, const NetCdfFile& file, const NetCdfVariable& variable,
                    const NetCdfFunction& function) {
  constexpr int kText = 2;
  if (function.writes && !file.writable) return netcdf_fails(call, NetCdfProblem::kReadOnly), true;
  if (file.defining) return netcdf_fails(call, NetCdfProblem::kDefining), true;
  if (!function.typed || (variable.type == kText) == call.name.ends_with("_text")) return false;
  return netcdf_fails(call, NetCdfProblem::kNotText), true;
}

}  // namespace

void netcdf_posix_transfer(Machine& machine, Call& call) {
  const NetCdfFunction function = netcdf_function_of(call.name);
  NetCdfFile* file = netcdf_file(machine, call);
  const NetCdfVariable* variable = file != nullptr ? netcdf_variable(machine, call, *file, 1) : nullptr;
  if (variable == nullptr || refused_at_all(call, *file, *variable, function)) return;
  const Chosen part = part_of(machine, call, function, file->content, *variable);
  if (!part.known && !file->posix.unsure) {
    file->posix.unsure = true;  // which blocks the buffer holds from now on is not known
    machine.note("a part of a variable of NetCDF's is not known: its first element is assumed");
  }
  NetCdfCalls calls(machine, call, *file);
  const int problem = transfer_part({calls, *file, *variable, function.writes}, part);
  if (problem != 0) return netcdf_fails(call, static_cast<NetCdfProblem>(problem));
  const Word element = netcdf_bytes(variable->type);
  if (!function.writes)
    forget_memory(machine, call, *file, part, call.argument(netcdf_buffer_argument(function.shape)),
                  function.typed ? netcdf_type_in_memory(call.name, element) : element);
}

}  // namespace trikal::predict
