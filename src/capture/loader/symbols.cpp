#include "capture/loader/symbols.hpp"

#include <sys/auxv.h>

#include "capture/loader/each_object.hpp"
#include "capture/loader/elf_object.hpp"

namespace trikal::capture {
namespace {

struct Search {
  const char* name;
  ElfObject::Kind kind;
  std::uint32_t hash;
  const void* self;  // an address of ours
  bool looking;      // false until our own library has been passed
  void* found = nullptr;
};

int visit(dl_phdr_info* info, std::size_t /*size*/, void* data) {
  auto& search = *static_cast<Search*>(data);
  if (contains(*info, search.self)) {
    search.looking = true;
    return 0;
  }
  if (!search.looking) return 0;
  const ElfObject object(*info);
  const std::uint32_t index = object.look_up(search.name, search.hash, search.kind);
  if (index == 0) return 0;
  const ElfW(Sym)& symbol = object.symbols[index];
  const ElfW(Addr) address = info->dlpi_addr + symbol.st_value;
  if (ELF64_ST_TYPE(symbol.st_info) == STT_GNU_IFUNC) {
    search.found = reinterpret_cast<void* (*)()>(address)();
  } else {
    search.found = reinterpret_cast<void*>(address);
  }
  return 1;
}

void* find(const char* name, ElfObject::Kind kind, bool from_the_first) noexcept {
  static const char kHere = 0;
  Search search{name, kind, gnu_hash_of(name), &kHere, from_the_first};
  // Where the first ones have it not, they are passed again: our own library is among them.
  if (!each_first_object(visit, &search) && has_later_objects()) {
    search.looking = from_the_first;
    (void)each_object(visit, &search);
  }
  return search.found;
}

struct Owner {
  const void* function;
  bool is_libc = false;
};

int find_owner(dl_phdr_info* info, std::size_t /*size*/, void* data) {
  auto& owner = *static_cast<Owner*>(data);
  if (!contains(*info, owner.function)) return 0;
  owner.is_libc = contains(*info, reinterpret_cast<const void*>(&getauxval));  // which nobody replaces
  return 1;
}

struct Count {
  const char* name;
  std::uint32_t hash;
  const void* self;
  int found = 0;
};

int count(dl_phdr_info* info, std::size_t /*size*/, void* data) {
  auto& count = *static_cast<Count*>(data);
  if (contains(*info, count.self)) return 0;
  if (ElfObject(*info).look_up(count.name, count.hash, ElfObject::Kind::kFunction) != 0) ++count.found;
  return 0;
}

}  // namespace

void* find_next(const char* name) noexcept { return find(name, ElfObject::Kind::kFunction, false); }
void* find_function(const char* name) noexcept { return find(name, ElfObject::Kind::kFunction, true); }
void* find_data(const char* name) noexcept { return find(name, ElfObject::Kind::kData, true); }

bool is_of_libc(const void* function) noexcept {
  Owner owner{function};
  (void)each_first_object(find_owner, &owner);
  return owner.is_libc;
}

int definitions_of(const char* name) noexcept {
  static const char kHere = 0;
  Count counted{name, gnu_hash_of(name), &kHere};
  (void)each_object(count, &counted);
  return counted.found;
}

}  // namespace trikal::capture
