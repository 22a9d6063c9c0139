#include "capture/interpose/symbols.hpp"

#include <elf.h>
#include <link.h>

#include <cstdint>
#include <cstring>

namespace trikal::capture {
namespace {

// The tables of one loaded object that are needed to look a name up.
struct Object {
  const ElfW(Sym) * symbols = nullptr;
  const char* strings = nullptr;
  const std::uint32_t* gnu_hash = nullptr;
  const std::uint32_t* sysv_hash = nullptr;
  const ElfW(Half) * versions = nullptr;
};

constexpr ElfW(Half) kHiddenVersion = 0x8000;  // not the default version of its name

std::uint32_t gnu_hash_of(const char* name) noexcept {
  std::uint32_t hash = 5381;
  for (; *name != '\0'; ++name) hash = hash * 33 + static_cast<unsigned char>(*name);
  return hash;
}

const ElfW(Dyn) * dynamic_of(const dl_phdr_info& info) noexcept {
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    if (info.dlpi_phdr[i].p_type == PT_DYNAMIC) {
      return reinterpret_cast<const ElfW(Dyn)*>(info.dlpi_addr + info.dlpi_phdr[i].p_vaddr);
    }
  }
  return nullptr;
}

Object tables_of(const dl_phdr_info& info) noexcept {
  Object object;
  const ElfW(Dyn)* entry = dynamic_of(info);
  if (entry == nullptr) return object;
  for (; entry->d_tag != DT_NULL; ++entry) {
    // The loader relocates these pointers in place for most objects, not for the vdso.
    ElfW(Addr) address = entry->d_un.d_ptr;
    if (address < info.dlpi_addr) address += info.dlpi_addr;
    switch (entry->d_tag) {
      case DT_SYMTAB: object.symbols = reinterpret_cast<const ElfW(Sym)*>(address); break;
      case DT_STRTAB: object.strings = reinterpret_cast<const char*>(address); break;
      case DT_GNU_HASH: object.gnu_hash = reinterpret_cast<const std::uint32_t*>(address); break;
      case DT_HASH: object.sysv_hash = reinterpret_cast<const std::uint32_t*>(address); break;
      case DT_VERSYM: object.versions = reinterpret_cast<const ElfW(Half)*>(address); break;
      default: break;
    }
  }
  return object;
}

bool defines(const Object& object, std::uint32_t index, const char* name) noexcept {
  const ElfW(Sym)& symbol = object.symbols[index];
  const unsigned type = ELF64_ST_TYPE(symbol.st_info);
  if (symbol.st_shndx == SHN_UNDEF || (type != STT_FUNC && type != STT_GNU_IFUNC)) return false;
  if (object.versions != nullptr && (object.versions[index] & kHiddenVersion) != 0) return false;
  return std::strcmp(object.strings + symbol.st_name, name) == 0;
}

std::uint32_t look_up_gnu(const Object& object, const char* name, std::uint32_t hash) noexcept {
  const std::uint32_t buckets = object.gnu_hash[0];
  const std::uint32_t first = object.gnu_hash[1];
  const std::uint32_t words = object.gnu_hash[2];
  const std::uint32_t shift = object.gnu_hash[3];
  const auto* bloom = reinterpret_cast<const ElfW(Addr)*>(object.gnu_hash + 4);
  constexpr std::uint32_t kBits = 8 * sizeof(ElfW(Addr));
  const ElfW(Addr) word = bloom[(hash / kBits) % words];
  if (((word >> (hash % kBits)) & (word >> ((hash >> shift) % kBits)) & 1) == 0 || buckets == 0) return 0;
  const auto* bucket = reinterpret_cast<const std::uint32_t*>(bloom + words);
  const std::uint32_t* chain = bucket + buckets;
  std::uint32_t index = bucket[hash % buckets];
  if (index < first) return 0;
  for (;; ++index) {
    const std::uint32_t entry = chain[index - first];
    if ((entry | 1) == (hash | 1) && defines(object, index, name)) return index;
    if ((entry & 1) != 0) return 0;
  }
}

std::uint32_t look_up_sysv(const Object& object, const char* name) noexcept {
  const std::uint32_t count = object.sysv_hash[1];
  for (std::uint32_t index = 1; index < count; ++index) {
    if (defines(object, index, name)) return index;
  }
  return 0;
}

struct Search {
  const char* name;
  std::uint32_t hash;
  const void* self;      // an address of ours
  bool behind_us = false;
  void* found = nullptr;
};

bool contains(const dl_phdr_info& info, const void* address) noexcept {
  const auto wanted = reinterpret_cast<ElfW(Addr)>(address);
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = info.dlpi_phdr[i];
    const ElfW(Addr) begin = info.dlpi_addr + segment.p_vaddr;
    if (segment.p_type == PT_LOAD && wanted >= begin && wanted - begin < segment.p_memsz) return true;
  }
  return false;
}

int visit(dl_phdr_info* info, std::size_t /*size*/, void* data) {
  auto& search = *static_cast<Search*>(data);
  if (!search.behind_us) {
    search.behind_us = contains(*info, search.self);
    return 0;
  }
  const Object object = tables_of(*info);
  if (object.symbols == nullptr || object.strings == nullptr) return 0;
  std::uint32_t index = 0;
  if (object.gnu_hash != nullptr) index = look_up_gnu(object, search.name, search.hash);
  else if (object.sysv_hash != nullptr) index = look_up_sysv(object, search.name);
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

}  // namespace

void* find_next(const char* name) noexcept {
  static const char kHere = 0;
  Search search{name, gnu_hash_of(name), &kHere};
  dl_iterate_phdr(visit, &search);
  return search.found;
}

}  // namespace trikal::capture
