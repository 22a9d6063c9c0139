// PnetCDF and NetCDF: dimensions, variables, attributes, and what can be asked about them.

#include <algorithm>

#include "predict/models/netcdf.hpp"

namespace trikal::predict {
namespace {

constexpr Word kKept = 4096;

// A name of the program's; nothing: it is not known, and neither is what is in the file from now on.
std::string name_of(Machine& machine, const Call& call, std::size_t index, NetCdfFile& file) {
  std::string name;
  const Value pointer = call.argument(index);
  Cause cause = pointer.cause;
  if (pointer.known() && machine.memory.text(pointer.bits, name, &cause)) return name;
  file.content.cause = cause;
  return "?";
}

void put_text(Machine& machine, Value to, const std::string& text) {
  if (to.known() && to.bits != 0) machine.memory.write(to.bits, text.c_str(), text.size() + 1);
}

NetCdfFile* defining(Machine& machine, Call& call) {
  NetCdfFile* file = netcdf_file(machine, call);
  if (file == nullptr || file->defining) return file;
  return netcdf_fails(call, NetCdfProblem::kNotDefining), nullptr;
}

void def_dim_model(Machine& machine, Call& call) {  // id, name, length, where its number is put
  NetCdfFile* file = defining(machine, call);
  if (file == nullptr) return;
  NetCdfDimension made{name_of(machine, call, 1, *file), call.argument(2).bits};
  if (!call.argument(2).known()) file->content.cause = call.argument(2).cause, made.length = 1;
  auto& all = file->content.dimensions;
  if (std::ranges::find(all, made.name, &NetCdfDimension::name) != all.end())
    return netcdf_fails(call, NetCdfProblem::kNameInUse);
  if (made.length == 0 && std::ranges::find(all, Word{0}, &NetCdfDimension::length) != all.end())
    return netcdf_fails(call, NetCdfProblem::kUnlimitedTwice);
  all.push_back(std::move(made));
  netcdf_put(machine, call.argument(3), 4, all.size() - 1);
}

// Unsigned and 64-bit numbers are CDF-5's. What PnetCDF says of them in other files is not looked at.
bool bad_type(const Call& call, const NetCdfFile& file, int type) {
  constexpr int kDouble = 6;
  return netcdf_bytes(type) == 0 || (netcdf_by_posix(call) && file.content.format != 5 && type > kDouble);
}

void def_var_model(Machine& machine,
                   Call& call) {  // id, name, type, dimensions, their numbers, where its number is put
  NetCdfFile* file = defining(machine, call);
  if (file == nullptr) return;
  NetCdfVariable made;
  made.name = name_of(machine, call, 1, *file);
  made.type = static_cast<int>(call.argument(2).bits);
  if (!call.argument(2).known() || !call.argument(3).known())
    file->content.cause = machine.unknown(call.at, "the shape of a variable").cause, made.type = 1;
  if (bad_type(call, *file, made.type)) return netcdf_fails(call, NetCdfProblem::kBadType);
  made.unfilled = !file->filling;
  for (Word i = 0; call.argument(3).known() && i < std::min<Word>(call.argument(3).bits, 1024); ++i) {
    const Value one = machine.memory.load(call.argument(4).bits + 4 * i, 4);
    if (one.known() && one.bits >= file->content.dimensions.size())
      return netcdf_fails(call, NetCdfProblem::kBadDimension);
    if (one.known() && i > 0 && file->content.dimensions[one.bits].length == 0)
      return netcdf_fails(call, NetCdfProblem::kUnlimitedPosition);
    if (!one.known()) file->content.cause = one.cause;
    made.dimensions.push_back(one.known() ? static_cast<int>(one.bits) : 0);
  }
  auto& all = file->content.variables;
  if (std::ranges::find(all, made.name, &NetCdfVariable::name) != all.end())
    return netcdf_fails(call, NetCdfProblem::kNameInUse);
  all.push_back(std::move(made));
  netcdf_put(machine, call.argument(5), 4, all.size() - 1);
}

// Those of a variable, or of the file (NC_GLOBAL is -1).
NetCdfAttributes* attributes(Machine& machine, Call& call, NetCdfFile& file) {
  const Value variable = call.argument(1);
  if (variable.known() && lowest(variable.bits, 32) == lowest(~Word{0}, 32)) return &file.content.attributes;
  NetCdfVariable* one = netcdf_variable(machine, call, file, 1);
  return one != nullptr ? &one->attributes : nullptr;
}

// Whether the program's memory has it as the file does, but for the order of bytes.
bool of_kind(const Call& call, int type) {
  const std::string_view kind = call.name.substr(call.name.rfind('_') + 1);
  constexpr std::string_view kKinds[] = {"", "schar", "text", "short", "int", "float", "double"};
  return kind == "att" || (type < 7 && kind == kKinds[type]);
}

// (id, variable, name, length, text), or (id, variable, name, type, length, values)
void put_attribute_model(Machine& machine, Call& call) {
  NetCdfFile* file = netcdf_file(machine, call);
  if (file != nullptr && !file->writable) return netcdf_fails(call, NetCdfProblem::kReadOnly);
  NetCdfAttributes* all = file != nullptr ? attributes(machine, call, *file) : nullptr;
  if (all == nullptr) return;
  constexpr int kText = 2;
  const bool text = call.name.ends_with("_text");
  const std::size_t at = text ? 3 : 4;
  NetCdfAttribute made{text ? kText : static_cast<int>(call.argument(3).bits), call.argument(at).bits, {}};
  if (!call.argument(at).known() || !call.argument(3).known())
    file->content.cause = machine.unknown(call.at, "the length of an attribute").cause, made.count = 0;
  if (bad_type(call, *file, made.type)) return netcdf_fails(call, NetCdfProblem::kBadType);
  const Word bytes = made.count * netcdf_bytes(made.type);
  made.value.resize(std::min(bytes, kKept));
  const Value from = call.argument(at + 1);
  if (bytes > kKept || !from.known() || !of_kind(call, made.type) ||
      !machine.memory.read(from.bits, made.value.data(), bytes))
    made.value.clear();
  const std::string name = name_of(machine, call, 2, *file);
  const NetCdfAttribute* old = all->find(name);
  const auto takes = [](Word length) { return (length + 3) / 4 * 4; };
  if (!file->defining && (old == nullptr || takes(old->count * netcdf_bytes(old->type)) < takes(bytes)))
    return netcdf_fails(call, NetCdfProblem::kNotDefining);
  (*all)[name] = std::move(made);
  if (file->defining) return;
  if (!file->posix.used) return netcdf_write_header(machine, call, *file);
  file->posix.header_changed = true;
  file->content.header_bytes = file->content.header();
}

const NetCdfAttribute* attribute(Machine& machine, Call& call, NetCdfFile*& file) {
  file = netcdf_file(machine, call);
  NetCdfAttributes* all = file != nullptr ? attributes(machine, call, *file) : nullptr;
  if (all == nullptr) return nullptr;
  if (const NetCdfAttribute* found = all->find(name_of(machine, call, 2, *file))) return found;
  if (file->content.cause != kKnown) call.returns(Value::unknown(file->content.cause));
  else netcdf_fails(call, NetCdfProblem::kNoAttribute);
  return nullptr;
}

void get_attribute_model(Machine& machine, Call& call) {  // id, variable, name, where it is put
  NetCdfFile* file = nullptr;
  const NetCdfAttribute* one = attribute(machine, call, file);
  if (one == nullptr || !call.argument(3).known()) return;
  if (of_kind(call, one->type) && !one->value.empty())
    return machine.memory.write(call.argument(3).bits, one->value.data(), one->value.size());
  machine.memory.forget(call.argument(3).bits, one->count * 8, machine.unknown(call.at, "an attribute").cause);
}
void inq_att_model(Machine& machine, Call& call) {  // id, variable, name, type, length
  NetCdfFile* file = nullptr;
  const NetCdfAttribute* one = attribute(machine, call, file);
  if (one == nullptr) return;
  const bool only_length = netcdf_bare_name(call.name) == "inq_attlen";
  if (!only_length) netcdf_put(machine, call.argument(3), 4, static_cast<Word>(one->type));
  if (netcdf_bare_name(call.name) != "inq_atttype")
    netcdf_put(machine, call.argument(only_length ? 3 : 4), 8, one->count);
}

void inq_attname_model(Machine& machine, Call& call) {  // id, variable, number, name
  NetCdfFile* file = netcdf_file(machine, call);
  const NetCdfAttributes* all = file != nullptr ? attributes(machine, call, *file) : nullptr;
  const Value number = call.argument(2);
  if (all == nullptr) return;
  if (!number.known()) return call.returns(number);
  if (number.bits >= all->size()) return netcdf_fails(call, NetCdfProblem::kNoAttribute);
  put_text(machine, call.argument(3), (all->begin() + static_cast<std::ptrdiff_t>(number.bits))->first);
}

Word unlimited(const NetCdfContent& content) {
  for (std::size_t i = 0; i < content.dimensions.size(); ++i)
    if (content.dimensions[i].length == 0) return i;
  return lowest(~Word{0}, 32);
}

void inq_model(Machine& machine, Call& call) {  // id, dimensions, variables, attributes, the one that grows
  NetCdfFile* file = netcdf_file(machine, call);
  if (file == nullptr) return;
  const NetCdfContent& all = file->content;
  const Word told[] = {all.dimensions.size(), all.variables.size(), all.attributes.size(), unlimited(all)};
  constexpr std::string_view kOne[] = {"inq_ndims", "inq_nvars", "inq_natts", "inq_unlimdim"};
  for (std::size_t i = 0; i < 4; ++i)
    if (netcdf_bare_name(call.name) == "inq") netcdf_put(machine, call.argument(1 + i), 4, told[i]);
    else if (netcdf_bare_name(call.name) == kOne[i]) netcdf_put(machine, call.argument(1), 4, told[i]);
  if (netcdf_bare_name(call.name) == "inq_format")
    netcdf_put(machine, call.argument(1), 4, static_cast<Word>(all.format));
  if (all.cause != kKnown) call.returns(Value::unknown(all.cause));
}

// Numbers of all dimensions, of those that grow, or of all variables: id, how many, which.
void inq_numbers_model(Machine& machine, Call& call) {
  NetCdfFile* file = netcdf_file(machine, call);
  if (file == nullptr) return;
  const NetCdfContent& all = file->content;
  const std::string_view name = netcdf_bare_name(call.name);
  Word first = 0, count = name == "inq_varids" ? all.variables.size() : all.dimensions.size();
  if (name == "inq_unlimdims") first = unlimited(all), count = first < all.dimensions.size() ? 1 : 0;
  netcdf_put(machine, call.argument(1), 4, count);
  for (Word i = 0; i < count && call.argument(2).known(); ++i)
    netcdf_put(machine, Value::of(call.argument(2).bits == 0 ? Word{0} : call.argument(2).bits + 4 * i), 4, first + i);
  if (all.cause != kKnown) call.returns(Value::unknown(all.cause));
}

// By name: the number of a dimension or of a variable.
template <bool Variable>
void number_model(Machine& machine, Call& call) {
  NetCdfFile* file = netcdf_file(machine, call);
  if (file == nullptr) return;
  const std::string name = name_of(machine, call, 1, *file);
  const auto find = [&](const auto& all) -> std::optional<Word> {
    for (std::size_t i = 0; i < all.size(); ++i)
      if (all[i].name == name) return i;
    return std::nullopt;
  };
  const std::optional<Word> found = Variable ? find(file->content.variables) : find(file->content.dimensions);
  if (found) return netcdf_put(machine, call.argument(2), 4, *found);
  if (file->content.cause == kKnown)
    return netcdf_fails(call, Variable ? NetCdfProblem::kNoVariable : NetCdfProblem::kBadDimension);
  if (call.argument(2).known()) machine.memory.forget(call.argument(2).bits, 4, file->content.cause);
}

void inq_dim_model(Machine& machine, Call& call) {  // id, dimension, name, length
  NetCdfFile* file = netcdf_file(machine, call);
  if (file == nullptr || !call.argument(1).known()) return;
  if (call.argument(1).bits >= file->content.dimensions.size()) return netcdf_fails(call, NetCdfProblem::kBadDimension);
  const NetCdfDimension& one = file->content.dimensions[call.argument(1).bits];
  const bool length = netcdf_bare_name(call.name) == "inq_dimlen";
  if (!length) put_text(machine, call.argument(2), one.name);
  if (netcdf_bare_name(call.name) != "inq_dimname")
    netcdf_put(machine, call.argument(length ? 2 : 3), 8, one.length == 0 ? file->content.records : one.length);
}

void inq_var_model(Machine& machine, Call& call) {  // id, variable, name, type, dimensions, their numbers, attributes
  NetCdfFile* file = netcdf_file(machine, call);
  const NetCdfVariable* one = file != nullptr ? netcdf_variable(machine, call, *file, 1) : nullptr;
  if (one == nullptr) return;
  const bool all = netcdf_bare_name(call.name) == "inq_var";
  const auto wants = [&](std::string_view name) { return all || netcdf_bare_name(call.name) == name; };
  const auto to = [&](std::size_t index) { return call.argument(all ? index : 2); };
  if (wants("inq_varname")) put_text(machine, to(2), one->name);
  if (wants("inq_vartype")) netcdf_put(machine, to(3), 4, static_cast<Word>(one->type));
  if (wants("inq_varndims")) netcdf_put(machine, to(4), 4, one->dimensions.size());
  if (wants("inq_varnatts")) netcdf_put(machine, to(6), 4, one->attributes.size());
  if (netcdf_bare_name(call.name) == "inq_varoffset") netcdf_put(machine, to(2), 8, one->begin);
  if (!wants("inq_vardimid")) return;
  const Value numbers = to(5);
  for (std::size_t i = 0; i < one->dimensions.size() && numbers.known() && numbers.bits != 0; ++i)
    machine.memory.store(numbers.bits + 4 * i, 4, Value::of(static_cast<Word>(one->dimensions[i])));
}

constexpr NamedModel kNetcdfDefineModels[] = {
    {"def_dim", def_dim_model},         {"def_var", def_var_model},        {"inq", inq_model},
    {"inq_format", inq_model},          {"inq_ndims", inq_model},          {"inq_nvars", inq_model},
    {"inq_natts", inq_model},           {"inq_unlimdim", inq_model},       {"inq_varid", number_model<true>},
    {"inq_dimid", number_model<false>}, {"inq_dim", inq_dim_model},        {"inq_dimname", inq_dim_model},
    {"inq_dimlen", inq_dim_model},      {"inq_var", inq_var_model},        {"inq_varname", inq_var_model},
    {"inq_vartype", inq_var_model},     {"inq_varndims", inq_var_model},   {"inq_vardimid", inq_var_model},
    {"inq_varnatts", inq_var_model},    {"inq_varoffset", inq_var_model},  {"inq_unlimdims", inq_numbers_model},
    {"inq_dimids", inq_numbers_model},  {"inq_varids", inq_numbers_model}, {"inq_attname", inq_attname_model},
    {"inq_att", inq_att_model},         {"inq_attlen", inq_att_model},     {"inq_atttype", inq_att_model},
};

}  // namespace

Model netcdf_define_model(std::string_view name) {
  const std::string_view bare = netcdf_bare_name(name);
  if (bare.starts_with("put_att") && !bare.ends_with("_string")) return put_attribute_model;
  if (bare.starts_with("get_att") && !bare.ends_with("_string")) return get_attribute_model;
  const auto found = std::ranges::find(kNetcdfDefineModels, bare, &NamedModel::name);
  return found == std::end(kNetcdfDefineModels) ? nullptr : found->run;
}

}  // namespace trikal::predict
