#pragma once
// One loaded object as the dynamic linker left it: the tables that are needed to look a name up or to find where the
// object's own calls go. Reads only.

#include <elf.h>
#include <link.h>

#include <cstdint>

namespace trikal::capture {

struct ElfObject {
  const ElfW(Sym) * symbols = nullptr;
  const char* strings = nullptr;
  const std::uint32_t* gnu_hash = nullptr;
  const std::uint32_t* sysv_hash = nullptr;
  const ElfW(Half) * versions = nullptr;
  struct Relocations {
    const ElfW(Rela) * first = nullptr;
    std::size_t bytes = 0;
  } data, calls;

  explicit ElfObject(const dl_phdr_info& info) noexcept;

  enum class Kind : std::uint8_t { kFunction, kData };
  // The name's index in `symbols`, 0 if the object does not define it. `hash` is gnu_hash_of(name).
  [[nodiscard]] std::uint32_t look_up(const char* name, std::uint32_t hash, Kind kind) const noexcept;

 private:
  [[nodiscard]] bool defines(std::uint32_t index, const char* name, Kind kind) const noexcept;
  [[nodiscard]] std::uint32_t look_up_gnu(const char* name, std::uint32_t hash, Kind kind) const noexcept;
  [[nodiscard]] std::uint32_t look_up_sysv(const char* name, Kind kind) const noexcept;
};

[[nodiscard]] std::uint32_t gnu_hash_of(const char* name) noexcept;
// Whether an address lies in one of the object's segments.
[[nodiscard]] bool contains(const dl_phdr_info& info, const void* address) noexcept;

}  // namespace trikal::capture
