// Tables of virtual functions that the C++ library has and the program only names: where a virtual base lies, and which
// function is behind a slot. The library is loaded here, too, so they are copied from it.

#include <llvm/IR/GlobalVariable.h>

#include <dlfcn.h>

#include <array>
#include <cstring>

#include "predict/models/cpp.hpp"

namespace trikal::predict {
namespace {

constexpr Word kPlain = Word{1} << 20;  // offsets are smaller, addresses are not
constexpr Word kBefore = 64, kTable = 256;  // bytes of a table around the slot that an object points to

// Where `copied` of the library's tables lie here, by where they are there.
Word word_here(Machine& machine, Word there, int deep);

Word table_here(Machine& machine, Word there, int deep) {
  const auto [known, fresh] = machine.tables.try_emplace(there, 0);
  if (!fresh) return known->second;
  const Word here = machine.world.take(kTable) + kBefore;
  known->second = here;
  for (Word at = 0; at < kTable; at += 8) {
    Word value = 0;
    std::memcpy(&value, reinterpret_cast<const char*>(there) - kBefore + at, 8);  // NOLINT(performance-no-int-to-ptr)
    machine.memory.store(here - kBefore + at, 8, Value::of(word_here(machine, value, deep + 1)));
  }
  return here;
}

Word word_here(Machine& machine, Word there, int deep) {
  if (there + kPlain < 2 * kPlain) return there;
  Dl_info told{};
  if (::dladdr(reinterpret_cast<const void*>(there), &told) == 0) return 0;  // NOLINT(performance-no-int-to-ptr)
  if (told.dli_sname == nullptr) return deep == 0 ? table_here(machine, there, deep) : 0;
  const std::string_view name = told.dli_sname;
  if (name.starts_with("_ZTS")) return 0;
  if (name.starts_with("_ZTI")) {  // for dynamic_cast, by its name
    const llvm::GlobalVariable* type = machine.decoder.variable_named(name);
    return type != nullptr ? machine.decoder.address_of(*type) : machine.decoder.address_of_named(name);
  }
  if (name.starts_with("_ZTV") || name.starts_with("_ZTC")) return deep == 0 ? table_here(machine, there, deep) : 0;
  return name.starts_with("_Z") || name.starts_with("__cxa") ? machine.decoder.address_of_named(name) : 0;
}

void* library() {
  static void* const handle = ::dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_LOCAL);
  return handle;
}

}  // namespace

bool cpp_table(Machine& machine, std::string_view name, Word address, Word bytes) {
  if (!name.starts_with("_ZTV") && !name.starts_with("_ZTT")) return false;
  const auto* there =
      static_cast<const char*>(library() != nullptr ? ::dlsym(library(), std::string(name).c_str()) : nullptr);
  if (there == nullptr) return false;
  for (Word at = 0; at + 8 <= bytes; at += 8) {
    Word value = 0;
    std::memcpy(&value, there + at, 8);
    machine.memory.store(address + at, 8, Value::of(word_here(machine, value, 0)));
  }
  return true;
}

Word cpp_table_of(Machine& machine, const char* name) {
  constexpr Word kFirst = 16;  // behind the offset to the top and the type; a virtual base adds one before
  const auto* there = static_cast<const char*>(library() != nullptr ? ::dlsym(library(), name) : nullptr);
  if (there == nullptr) return 0;
  const bool based = std::string_view(name) == "_ZTVSo" || std::string_view(name) == "_ZTVSi";
  return table_here(machine, reinterpret_cast<Word>(there) + kFirst + (based ? 8 : 0), 0);
}

}  // namespace trikal::predict
