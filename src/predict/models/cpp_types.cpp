// Which exceptions a handler takes: types and their bases, as the tables of the program and of the library have them.

#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Instructions.h>

#include <cxxabi.h>
#include <dlfcn.h>

#include <llvm/IR/Constants.h>
#include <llvm/IR/Operator.h>

#include "predict/models/cpp.hpp"
#include "predict/models/cpp_exceptions.hpp"
#include "predict/models/list.hpp"

namespace trikal::predict {
namespace {

struct Base {
  std::string type;
  std::int64_t offset = 0;  // of a virtual one: of the slot in the table that has it
  bool shared = false;
};

std::string type_name(const llvm::Constant* constant) {
  const llvm::Value* value = constant->stripPointerCasts();
  return value->getName().starts_with("_ZTI") ? value->getName().drop_front(4).str() : std::string();
}

// {table, name, base} or {table, name, flags, count, base, offset and flags, ...}
std::vector<Base> bases_in(const llvm::Constant& told) {
  constexpr std::int64_t kShared = 1, kPublic = 2;
  constexpr unsigned kOffsetShift = 8;
  std::vector<Base> all;
  const llvm::Value* table = told.getAggregateElement(0U)->stripInBoundsOffsets();
  if (table->getName().contains("__si_class_type_info")) {
    all.push_back({type_name(told.getAggregateElement(2U))});
  } else if (table->getName().contains("__vmi_class_type_info")) {
    for (unsigned i = 4; told.getAggregateElement(i) != nullptr && told.getAggregateElement(i + 1) != nullptr; i += 2) {
      const auto* bits = llvm::dyn_cast<llvm::ConstantInt>(told.getAggregateElement(i + 1));
      if (bits == nullptr || (bits->getSExtValue() & kPublic) == 0) continue;
      all.push_back({type_name(told.getAggregateElement(i)), bits->getSExtValue() >> kOffsetShift,
                     (bits->getSExtValue() & kShared) != 0});
    }
  }
  return all;
}

std::vector<Base> bases_in_library(const std::string& type) {
  const auto* told = static_cast<const std::type_info*>(::dlsym(RTLD_DEFAULT, ("_ZTI" + type).c_str()));
  std::vector<Base> all;
  if (const auto* single = dynamic_cast<const __cxxabiv1::__si_class_type_info*>(told))
    all.push_back({single->__base_type->name()});
  else if (const auto* several = dynamic_cast<const __cxxabiv1::__vmi_class_type_info*>(told))
    for (unsigned i = 0; i < several->__base_count; ++i) {
      const auto& base = several->__base_info[i];
      if (base.__is_public_p()) all.push_back({base.__base_type->name(), base.__offset(), base.__is_virtual_p()});
    }
  return all;
}

std::vector<Base> bases_of(Machine& machine, const std::string& type) {
  const llvm::GlobalVariable* variable = machine.decoder.variable_named("_ZTI" + type);
  return variable != nullptr && variable->hasInitializer() ? bases_in(*variable->getInitializer())
                                                           : bases_in_library(type);
}

// What a pointer points to, without qualifiers; nothing: it is no pointer.
std::optional<std::string> pointed(const std::string& type) {
  if (!type.starts_with("P")) return std::nullopt;
  std::size_t at = 1;
  while (at < type.size() && (type[at] == 'K' || type[at] == 'V')) ++at;
  return type.substr(at);
}
bool allows(const std::string& wanted, const std::string& type) {  // a pointer to what is const does not lose that
  return type.find('K') != 1 || wanted.find('K') == 1;
}

std::optional<Word> caught_as(Machine& machine, const std::string& type, Word object, const std::string& wanted) {
  const auto from = pointed(type), to = pointed(wanted);
  if (!from || !to) return as_type(machine, type, object, wanted);
  if (!allows(wanted, type)) return std::nullopt;
  const Value pointer = machine.memory.load(object, 8);
  if (*to == "v") return pointer.bits;
  return pointer.known() ? as_type(machine, *from, pointer.bits, *to) : std::nullopt;
}

// (object, its type, the wanted type, a hint): the whole object's type is in its table, and where that begins.
void cast_model(Machine& machine, Call& call) {
  const Value object = call.argument(0), wanted = call.argument(2);
  const Value table = object.known() && object.bits != 0 ? machine.memory.load(object.bits, 8) : object;
  if (!table.known() || !wanted.known()) return call.returns(machine.unknown(call.at, "the type of an object"));
  const std::string type = machine.decoder.name_at(machine.memory.load(table.bits - 8, 8).bits);
  const std::string name = machine.decoder.name_at(wanted.bits);
  if (!type.starts_with("_ZTI") || !name.starts_with("_ZTI"))
    return call.returns(machine.unknown(call.at, "the type of an object"));
  const Word whole = object.bits + machine.memory.load(table.bits - 16, 8).bits;
  call.returns(Value::of(as_type(machine, type.substr(4), whole, name.substr(4)).value_or(0)));
}
void bad_cast_model(Machine& machine, Call& call) { throw_standard(machine, call, "St8bad_cast", ""); }

constexpr NamedModel kCppTypesModels[] = {
    {"__dynamic_cast", cast_model},
    {"__cxa_bad_cast", bad_cast_model},
};

}  // namespace

std::span<const NamedModel> cpp_type_models() { return kCppTypesModels; }

std::optional<Word> as_type(Machine& machine, const std::string& type, Word object, const std::string& wanted) {
  if (type == wanted) return object;
  for (const Base& base : bases_of(machine, type)) {
    Word part = object + static_cast<Word>(base.offset);
    if (base.shared) {
      const Value table = machine.memory.load(object, 8);
      part = object + (table.known() ? machine.memory.load(table.bits + static_cast<Word>(base.offset), 8).bits : 0);
    }
    if (const auto found = as_type(machine, base.type, part, wanted)) return found;
  }
  return std::nullopt;
}

std::optional<std::int64_t> selected(Machine& machine, const llvm::LandingPadInst& pad, Word exception, bool keep) {
  const std::string type = type_of_exception(machine, exception);
  for (unsigned i = 0; i < pad.getNumClauses(); ++i) {
    const llvm::Constant* clause = pad.getClause(i);
    if (pad.isFilter(i)) {
      bool allowed = false;
      for (unsigned k = 0; clause->getAggregateElement(k) != nullptr; ++k)
        allowed = allowed || caught_as(machine, type, exception, type_name(clause->getAggregateElement(k)));
      if (!allowed) return -1;
      continue;
    }
    const auto* wanted = llvm::dyn_cast<llvm::GlobalVariable>(clause->stripPointerCasts());
    const auto found =
        wanted == nullptr ? std::optional(exception) : caught_as(machine, type, exception, type_name(clause));
    if (!found) continue;
    if (keep) keep_caught(machine, exception, pointed(type) && wanted == nullptr ? exception : *found);
    return wanted != nullptr ? static_cast<std::int64_t>(type_number(machine.decoder.address_of(*wanted))) : 1 << 30;
  }
  return std::nullopt;
}

}  // namespace trikal::predict
