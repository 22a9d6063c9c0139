#include "capture/loader/elf_object.hpp"

#include <cstring>

namespace trikal::capture {
namespace {

constexpr ElfW(Half) kHiddenVersion = 0x8000;  // not the default version of its name

const ElfW(Dyn) * dynamic_of(const dl_phdr_info& info) noexcept {
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    if (info.dlpi_phdr[i].p_type == PT_DYNAMIC) {
      return reinterpret_cast<const ElfW(Dyn)*>(info.dlpi_addr + info.dlpi_phdr[i].p_vaddr);
    }
  }
  return nullptr;
}

}  // namespace

std::uint32_t gnu_hash_of(const char* name) noexcept {
  std::uint32_t hash = 5381;
  for (; *name != '\0'; ++name) hash = hash * 33 + static_cast<unsigned char>(*name);
  return hash;
}

ElfObject::ElfObject(const dl_phdr_info& info) noexcept {
  const ElfW(Dyn)* entry = dynamic_of(info);
  if (entry == nullptr) return;
  for (; entry->d_tag != DT_NULL; ++entry) {
    // The loader overwrites these pointers with relocated ones for most objects, not for the vdso.
    ElfW(Addr) address = entry->d_un.d_ptr;
    if (address < info.dlpi_addr) address += info.dlpi_addr;
    switch (entry->d_tag) {
      case DT_SYMTAB: symbols = reinterpret_cast<const ElfW(Sym)*>(address); break;
      case DT_STRTAB: strings = reinterpret_cast<const char*>(address); break;
      case DT_GNU_HASH: gnu_hash = reinterpret_cast<const std::uint32_t*>(address); break;
      case DT_HASH: sysv_hash = reinterpret_cast<const std::uint32_t*>(address); break;
      case DT_VERSYM: versions = reinterpret_cast<const ElfW(Half)*>(address); break;
      case DT_RELA: data.first = reinterpret_cast<const ElfW(Rela)*>(address); break;
      case DT_RELASZ: data.bytes = entry->d_un.d_val; break;
      case DT_JMPREL: calls.first = reinterpret_cast<const ElfW(Rela)*>(address); break;
      case DT_PLTRELSZ: calls.bytes = entry->d_un.d_val; break;
      default: break;
    }
  }
}

bool ElfObject::defines(std::uint32_t index, const char* name, Kind kind) const noexcept {
  const ElfW(Sym)& symbol = symbols[index];
  const unsigned type = ELF64_ST_TYPE(symbol.st_info);
  const bool right = kind == Kind::kFunction ? type == STT_FUNC || type == STT_GNU_IFUNC : type == STT_OBJECT;
  if (symbol.st_shndx == SHN_UNDEF || !right) return false;
  if (versions != nullptr && (versions[index] & kHiddenVersion) != 0) return false;
  return std::strcmp(strings + symbol.st_name, name) == 0;
}

std::uint32_t ElfObject::look_up_gnu(const char* name, std::uint32_t hash, Kind kind) const noexcept {
  const std::uint32_t buckets = gnu_hash[0];
  const std::uint32_t first = gnu_hash[1];
  const std::uint32_t words = gnu_hash[2];
  const std::uint32_t shift = gnu_hash[3];
  const auto* bloom = reinterpret_cast<const ElfW(Addr)*>(gnu_hash + 4);
  constexpr std::uint32_t kBits = 8 * sizeof(ElfW(Addr));
  const ElfW(Addr) word = bloom[(hash / kBits) % words];
  if (((word >> (hash % kBits)) & (word >> ((hash >> shift) % kBits)) & 1) == 0 || buckets == 0) return 0;
  const auto* bucket = reinterpret_cast<const std::uint32_t*>(bloom + words);
  const std::uint32_t* chain = bucket + buckets;
  std::uint32_t index = bucket[hash % buckets];
  if (index < first) return 0;
  for (;; ++index) {
    const std::uint32_t entry = chain[index - first];
    if ((entry | 1) == (hash | 1) && defines(index, name, kind)) return index;
    if ((entry & 1) != 0) return 0;
  }
}

std::uint32_t ElfObject::look_up_sysv(const char* name, Kind kind) const noexcept {
  const std::uint32_t count = sysv_hash[1];
  for (std::uint32_t index = 1; index < count; ++index) {
    if (defines(index, name, kind)) return index;
  }
  return 0;
}

std::uint32_t ElfObject::look_up(const char* name, std::uint32_t hash, Kind kind) const noexcept {
  if (symbols == nullptr || strings == nullptr) return 0;
  if (gnu_hash != nullptr) return look_up_gnu(name, hash, kind);
  return sysv_hash != nullptr ? look_up_sysv(name, kind) : 0;
}

bool contains(const dl_phdr_info& info, const void* address) noexcept {
  const auto wanted = reinterpret_cast<ElfW(Addr)>(address);
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = info.dlpi_phdr[i];
    const ElfW(Addr) begin = info.dlpi_addr + segment.p_vaddr;
    if (segment.p_type == PT_LOAD && wanted >= begin && wanted - begin < segment.p_memsz) return true;
  }
  return false;
}

}  // namespace trikal::capture
