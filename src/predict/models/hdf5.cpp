// Handles of HDF5's, locations in files, lists of properties.

#include "predict/models/hdf5.hpp"

#include <llvm/IR/Instructions.h>

#include <algorithm>

namespace trikal::predict {
namespace {

constexpr Word kDefault = 0;  // H5P_DEFAULT, H5S_ALL

const Hdf5Object* any_object(Machine& machine, Call& call, std::size_t index) {
  const Value handle = call.argument(index);
  if (!handle.known()) {
    call.returns(handle);
    return nullptr;
  }
  const Hdf5Object* object = machine.world.hdf5().at(handle.bits);
  if (object == nullptr) hdf5_fails(call);
  return object;
}

}  // namespace

void hdf5_fails(Call& call) {
  const llvm::Type* type = call.at.ir->getType();
  call.returns(Value::of(type->isIntegerTy() ? lowest(~Word{0}, type->getIntegerBitWidth()) : 0));
}

const Hdf5Object* hdf5_object(Machine& machine, Call& call, std::size_t index, Hdf5Kind kind) {
  const Hdf5Object* object = any_object(machine, call, index);
  if (object == nullptr || object->kind == kind) return object;
  hdf5_fails(call);
  return nullptr;
}

Hdf5Object* hdf5_change(Machine& machine, Call& call, std::size_t index, Hdf5Kind kind) {
  if (hdf5_object(machine, call, index, kind) == nullptr) return nullptr;
  return machine.world.change_hdf5().at(call.argument(index).bits);
}

void hdf5_made(Machine& machine, Call& call, Hdf5Object object) {
  call.returns(Value::of(machine.world.change_hdf5().add(std::move(object))));
}

std::string hdf5_name(Machine& machine, const Call& call, std::size_t index) {
  const Value pointer = call.argument(index);
  Cause cause = pointer.cause;
  std::string name;
  if (pointer.known() && machine.memory.text(pointer.bits, name, &cause)) return name;
  return "<unknown: " + machine.causes[cause].what + ">";
}

std::optional<Hdf5Where> hdf5_where(Machine& machine, Call& call, std::size_t location, const std::string& name) {
  const Hdf5Object* object = any_object(machine, call, location);
  if (object == nullptr) return std::nullopt;
  const bool holds = object->kind == Hdf5Kind::kFile || object->kind == Hdf5Kind::kGroup ||
                     object->kind == Hdf5Kind::kDataset || object->kind == Hdf5Kind::kAttribute;
  if (!holds) {
    hdf5_fails(call);
    return std::nullopt;
  }
  const auto file = machine.world.hdf5().files.find(object->file);
  const bool known = file != machine.world.hdf5().files.end() && file->second;
  return Hdf5Where{{object->file, hdf5_path(object->path, name)}, object->writable, known};
}

std::optional<Hdf5Where> hdf5_where(Machine& machine, Call& call, std::size_t location, std::size_t name) {
  return hdf5_where(machine, call, location, hdf5_name(machine, call, name));
}

bool hdf5_parents(Machine& machine, const Hdf5Where& where, const Hdf5List& list) {
  const auto& [file, path] = where.location;
  const std::string parent = path.substr(0, std::max<std::size_t>(1, path.rfind('/')));
  Hdf5& state = machine.world.change_hdf5();
  if (const Hdf5Node* there = state.node({file, parent})) return there->kind == Hdf5Kind::kGroup;
  if (where.known && !list.makes_groups) return false;
  for (std::size_t end = path.find('/', 1); end != std::string::npos; end = path.find('/', end + 1))
    if (state.node({file, path.substr(0, end)}) == nullptr) state.nodes[{file, path.substr(0, end)}] = Hdf5Node{};
  return true;
}

Hdf5List hdf5_list(Machine& machine, const Call& call, std::size_t index) {
  const Value handle = call.argument(index);
  const Hdf5Object* list = handle.known() && handle.bits != kDefault ? machine.world.hdf5().at(handle.bits) : nullptr;
  return list != nullptr && list->kind == Hdf5Kind::kList ? list->list : Hdf5List{};
}

std::optional<Hdf5Type> hdf5_type(Machine& machine, Call& call, std::size_t index) {
  const Value handle = call.argument(index);
  if (!handle.known()) {  // data is moved all the same
    Hdf5Type type;
    type.cause = handle.cause;
    return type;
  }
  const Hdf5Object* object = hdf5_object(machine, call, index, Hdf5Kind::kType);
  return object != nullptr ? std::optional(object->type) : std::nullopt;
}

Cause hdf5_sizes(Machine& machine, Value from, std::size_t count, std::vector<Word>& out) {
  out.clear();
  if (!from.known()) return from.cause;
  const Memory::Untold untold(machine.memory);  // transfers compare what is selected with the extent
  for (std::size_t i = 0; i < count; ++i) {
    const Value one = machine.memory.load(from.bits + 8 * i, 8);
    if (!one.known()) return one.cause;
    out.push_back(one.bits);
  }
  return kKnown;
}

void hdf5_put_sizes(Machine& machine, Value to, const std::vector<Word>& sizes) {
  if (!to.known() || to.bits == 0) return;
  for (std::size_t i = 0; i < sizes.size(); ++i) machine.memory.store(to.bits + 8 * i, 8, Value::of(sizes[i]));
}

void hdf5_put(Machine& machine, Value to, unsigned bytes, Word value) {
  if (to.known() && to.bits != 0) machine.memory.store(to.bits, bytes, Value::of(value));
}

}  // namespace trikal::predict
