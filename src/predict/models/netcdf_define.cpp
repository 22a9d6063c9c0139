// PnetCDF: dimensions, variables, attributes, and what can be asked about them.

#include <algorithm>

#include "predict/models/netcdf.hpp"

namespace trikal::predict {
namespace {

constexpr Word kKept = 4096;

// A name of the program's; nothing: it is not known, and neither is what is in the file from now on.
std::string name_of(Machine& machine, const Call& call, std::size_t place, NetCdfFile& file) {
  std::string name;
  const Value pointer = call.argument(place);
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
  all.push_back(std::move(made));
  netcdf_put(machine, call.argument(3), 4, all.size() - 1);
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
  if (netcdf_bytes(made.type) == 0) return netcdf_fails(call, NetCdfProblem::kBadType);
  for (Word i = 0; call.argument(3).known() && i < std::min<Word>(call.argument(3).bits, 1024); ++i) {
    const Value one = machine.memory.load(call.argument(4).bits + 4 * i, 4);
    if (one.known() && one.bits >= file->content.dimensions.size())
      return netcdf_fails(call, NetCdfProblem::kBadDimension);
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

// (id, variable, name, length, text), or (id, variable, name, type, length, values)
void put_attribute_model(Machine& machine, Call& call) {
  NetCdfFile* file = netcdf_file(machine, call);
  NetCdfAttributes* all = file != nullptr ? attributes(machine, call, *file) : nullptr;
  if (all == nullptr) return;
  constexpr int kText = 2;
  const bool text = call.name.ends_with("_text");
  const std::size_t at = text ? 3 : 4;
  NetCdfAttribute made{text ? kText : static_cast<int>(call.argument(3).bits), call.argument(at).bits, {}};
  if (!call.argument(at).known() || !call.argument(3).known())
    file->content.cause = machine.unknown(call.at, "the length of an attribute").cause, made.count = 0;
  if (netcdf_bytes(made.type) == 0) return netcdf_fails(call, NetCdfProblem::kBadType);
  const Word bytes = made.count * netcdf_bytes(made.type);
  made.value.resize(std::min(bytes, kKept));
  const Value from = call.argument(at + 1);
  if (bytes > kKept || !from.known() || !machine.memory.read(from.bits, made.value.data(), bytes)) made.value.clear();
  const std::string name = name_of(machine, call, 2, *file);
  const auto old = all->find(name);
  if (!file->defining && (old == all->end() || old->second.count * netcdf_bytes(old->second.type) < bytes))
    return netcdf_fails(call, NetCdfProblem::kNotDefining);
  (*all)[name] = std::move(made);
  if (!file->defining) netcdf_write_header(machine, call, *file);
}

const NetCdfAttribute* attribute(Machine& machine, Call& call, NetCdfFile*& file) {
  file = netcdf_file(machine, call);
  NetCdfAttributes* all = file != nullptr ? attributes(machine, call, *file) : nullptr;
  if (all == nullptr) return nullptr;
  const auto found = all->find(name_of(machine, call, 2, *file));
  if (found != all->end()) return &found->second;
  if (file->content.cause != kKnown) call.returns(Value::unknown(file->content.cause));
  else netcdf_fails(call, NetCdfProblem::kNoAttribute);
  return nullptr;
}

void get_attribute_model(Machine& machine, Call& call) {  // id, variable, name, where it is put
  NetCdfFile* file = nullptr;
  const NetCdfAttribute* one = attribute(machine, call, file);
  if (one == nullptr || !call.argument(3).known()) return;
  const std::string_view kind = call.name.substr(call.name.rfind('_') + 1);
  constexpr std::string_view kKinds[] = {"", "schar", "text", "short", "int", "float", "double"};
  const bool same = one->type < 7 && kind == kKinds[one->type];
  if (same && !one->value.empty())
    return machine.memory.write(call.argument(3).bits, one->value.data(), one->value.size());
  machine.memory.forget(call.argument(3).bits, one->count * 8, machine.unknown(call.at, "an attribute").cause);
}
void inq_att_model(Machine& machine, Call& call) {  // id, variable, name, type, length
  NetCdfFile* file = nullptr;
  const NetCdfAttribute* one = attribute(machine, call, file);
  if (one == nullptr) return;
  const bool only_length = call.name == "ncmpi_inq_attlen";
  if (!only_length) netcdf_put(machine, call.argument(3), 4, static_cast<Word>(one->type));
  if (call.name != "ncmpi_inq_atttype") netcdf_put(machine, call.argument(only_length ? 3 : 4), 8, one->count);
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
  constexpr std::string_view kOne[] = {"ncmpi_inq_ndims", "ncmpi_inq_nvars", "ncmpi_inq_natts", "ncmpi_inq_unlimdim"};
  for (std::size_t i = 0; i < 4; ++i)
    if (call.name == "ncmpi_inq") netcdf_put(machine, call.argument(1 + i), 4, told[i]);
    else if (call.name == kOne[i]) netcdf_put(machine, call.argument(1), 4, told[i]);
  if (call.name == "ncmpi_inq_format") netcdf_put(machine, call.argument(1), 4, static_cast<Word>(all.format));
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
  const bool length = call.name == "ncmpi_inq_dimlen";
  if (!length) put_text(machine, call.argument(2), one.name);
  if (call.name != "ncmpi_inq_dimname")
    netcdf_put(machine, call.argument(length ? 2 : 3), 8, one.length == 0 ? file->content.records : one.length);
}

void inq_var_model(Machine& machine, Call& call) {  // id, variable, name, type, dimensions, their numbers, attributes
  NetCdfFile* file = netcdf_file(machine, call);
  const NetCdfVariable* one = file != nullptr ? netcdf_variable(machine, call, *file, 1) : nullptr;
  if (one == nullptr) return;
  const bool all = call.name == "ncmpi_inq_var";
  const auto wants = [&](std::string_view name) { return all || call.name == name; };
  const auto to = [&](std::size_t place) { return call.argument(all ? place : 2); };
  if (wants("ncmpi_inq_varname")) put_text(machine, to(2), one->name);
  if (wants("ncmpi_inq_vartype")) netcdf_put(machine, to(3), 4, static_cast<Word>(one->type));
  if (wants("ncmpi_inq_varndims")) netcdf_put(machine, to(4), 4, one->dimensions.size());
  if (wants("ncmpi_inq_varnatts")) netcdf_put(machine, to(6), 4, one->attributes.size());
  if (call.name == "ncmpi_inq_varoffset") netcdf_put(machine, to(2), 8, one->begin);
  if (!wants("ncmpi_inq_vardimid")) return;
  const Value numbers = to(5);
  for (std::size_t i = 0; i < one->dimensions.size() && numbers.known() && numbers.bits != 0; ++i)
    machine.memory.store(numbers.bits + 4 * i, 4, Value::of(static_cast<Word>(one->dimensions[i])));
}

constexpr NamedModel kModels[] = {
    {"ncmpi_def_dim", def_dim_model},
    {"ncmpi_def_var", def_var_model},
    {"ncmpi_inq", inq_model},
    {"ncmpi_inq_format", inq_model},
    {"ncmpi_inq_ndims", inq_model},
    {"ncmpi_inq_nvars", inq_model},
    {"ncmpi_inq_natts", inq_model},
    {"ncmpi_inq_unlimdim", inq_model},
    {"ncmpi_inq_varid", number_model<true>},
    {"ncmpi_inq_dimid", number_model<false>},
    {"ncmpi_inq_dim", inq_dim_model},
    {"ncmpi_inq_dimname", inq_dim_model},
    {"ncmpi_inq_dimlen", inq_dim_model},
    {"ncmpi_inq_var", inq_var_model},
    {"ncmpi_inq_varname", inq_var_model},
    {"ncmpi_inq_vartype", inq_var_model},
    {"ncmpi_inq_varndims", inq_var_model},
    {"ncmpi_inq_vardimid", inq_var_model},
    {"ncmpi_inq_varnatts", inq_var_model},
    {"ncmpi_inq_varoffset", inq_var_model},
    {"ncmpi_inq_att", inq_att_model},
    {"ncmpi_inq_attlen", inq_att_model},
    {"ncmpi_inq_atttype", inq_att_model},
};

}  // namespace

Model netcdf_attribute_model(std::string_view name) {
  if (name.starts_with("ncmpi_put_att")) return put_attribute_model;
  return name.starts_with("ncmpi_get_att") ? get_attribute_model : nullptr;
}

std::span<const NamedModel> netcdf_define_models() { return kModels; }

}  // namespace trikal::predict
