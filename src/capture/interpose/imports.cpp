#include "capture/interpose/imports.hpp"

#include <sys/auxv.h>
#include <sys/mman.h>
#include <time.h>

#include <cstring>

#include "capture/guard/spin.hpp"
#include "capture/loader/each_object.hpp"
#include "capture/loader/elf_object.hpp"
#include "capture/loader/page_protection.hpp"
#include "capture/loader/symbols.hpp"
#include "capture/raw.hpp"
#include "modules/list_slots.hpp"

namespace trikal::capture {

extern "C" {
constinit unsigned char trikal_objects_loaded = kNoneLoaded;
}

namespace {

#if defined(__x86_64__)
constexpr unsigned kCallEntry = R_X86_64_JUMP_SLOT, kDataEntry = R_X86_64_GLOB_DAT, kAddress = R_X86_64_64;
#elif defined(__aarch64__)
constexpr unsigned kCallEntry = R_AARCH64_JUMP_SLOT, kDataEntry = R_AARCH64_GLOB_DAT, kAddress = R_AARCH64_ABS64;
#endif

constinit Spin scanning;
constinit std::uint64_t found_lists = 0, left_alone = 0;  // a bit a list
static_assert(kImportedLibraries <= 64);
constinit const void* witnesses[kImportedLibraries] = {};
// An object that the loader is still at work on is left alone and looked at again, each time after a longer while, but not
// for ever: an entry may also stay empty because the program does not need it.
constinit int rounds_left = 0;
constexpr int kMostRounds = 16;
constinit std::atomic<std::int64_t> next_round{0};

std::int64_t milliseconds() noexcept {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  return std::int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1000000;
}

bool is_too_early() noexcept {
  return __atomic_load_n(&trikal_objects_loaded, __ATOMIC_RELAXED) == kLookAgain &&
         milliseconds() < next_round.load(std::memory_order_relaxed);
}

// The first few at once: most objects are ready by the next call.
void look_again_later() noexcept {
  constexpr int kAtOnce = 4, kLongest = 10;
  const int done = kMostRounds - rounds_left;
  const std::int64_t wait =
      done < kAtOnce ? 0 : std::int64_t{1} << (done - kAtOnce < kLongest ? done - kAtOnce : kLongest);
  next_round.store(milliseconds() + wait, std::memory_order_relaxed);
  unsigned char none = kNoneLoaded;
  (void)__atomic_compare_exchange_n(&trikal_objects_loaded, &none, kLookAgain, false, __ATOMIC_RELAXED,
                                    __ATOMIC_RELAXED);
}

struct Scan {
  const ImportList* list;
  bool sure = true;  // an entry that is yet to be looked up will hold the function that we know
  bool unsettled = false;
  // The page that was asked for last, and how it was found.
  ElfW(Addr) page = 0;
  int protection = 0;
};

bool has_prefix(const char* name, const char* prefix) noexcept {
  if (*name == 'P') ++name;
  return std::strncmp(name, prefix, std::strlen(prefix)) == 0;
}

template <class Use>
void for_each_import(const ImportList& list, Use use) noexcept {
  const auto one = [](const Import& import, void* with) noexcept { (*static_cast<Use*>(with))(import); };
  for (const ImportGroup group : list.groups) group({one, &use});
}

// Without a name: there is none.
Import find_import(const ImportList& list, const char* name) noexcept {
  Import found{};
  if (!has_prefix(name, list.prefix)) return found;
  for_each_import(list, [name, &found](const Import& import) noexcept {
    if (std::strcmp(import.name, name) == 0) found = import;
  });
  return found;
}

// Pages that the loader protects when it has filled its tables. Both ends are rounded down: what shares the last page
// with the program's data stays writable (most of it where pages have 64 KiB).
bool is_protected(const dl_phdr_info& info, ElfW(Addr) page, ElfW(Addr) page_bytes) noexcept {
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = info.dlpi_phdr[i];
    if (segment.p_type != PT_GNU_RELRO) continue;
    const ElfW(Addr) begin = info.dlpi_addr + segment.p_vaddr;
    if (page >= (begin & -page_bytes) && page < ((begin + segment.p_memsz) & -page_bytes)) return true;
  }
  return false;
}

bool protect(ElfW(Addr) page, ElfW(Addr) page_bytes, int protection) noexcept {
  return raw_syscall(__NR_mprotect, static_cast<long>(page), static_cast<long>(page_bytes), protection) == 0;
}

// False: not yet. A page that will be protected and can be written to is one that the loader is still at work on: with the
// entry written and the page protected here, it would be the loader that fails. Only what nobody has protected for all the
// rounds will stay so, and is left as it was found.
bool store_entry(const dl_phdr_info& info, void** entry, void* wrapper, Scan& scan) noexcept {
  const auto address = reinterpret_cast<ElfW(Addr)>(entry);
  const ElfW(Addr) page_bytes = getauxval(AT_PAGESZ), page = address & -page_bytes;
  if (!is_protected(info, page, page_bytes)) return __atomic_store_n(entry, wrapper, __ATOMIC_RELEASE), true;
  if (scan.page != page) {
    const int found = protection_of(page);
    scan.page = page, scan.protection = found == kUnknownProtection ? PROT_READ : found;
  }
  const bool is_open = (scan.protection & PROT_WRITE) != 0;
  if (is_open && rounds_left > 1) return false;
  if (!protect(page, page_bytes, scan.protection | PROT_READ | PROT_WRITE)) return true;
  __atomic_store_n(entry, wrapper, __ATOMIC_RELEASE);
  if (!is_open) (void)protect(page, page_bytes, scan.protection);
  return true;
}

// Only an entry that the loader has filled: with the function itself, or with the object's own code that looks it up
// at the first call. What it has yet to fill it would spoil, or be spoiled by.
void redirect(const dl_phdr_info& info, const Import& import, void** entry, Scan& scan) noexcept {
  void* held = __atomic_load_n(entry, __ATOMIC_RELAXED);
  if (held == import.wrapper) return;
  const bool settled = held == import.real->load(std::memory_order_relaxed) || (scan.sure && contains(info, held));
  if (!settled || !store_entry(info, entry, import.wrapper, scan)) scan.unsettled = true;
}

void redirect_table(const dl_phdr_info& info, const ElfObject& object, const ElfObject::Relocations& table,
                    Scan& scan) noexcept {
  const std::size_t count = table.first == nullptr ? 0 : table.bytes / sizeof(ElfW(Rela));
  for (std::size_t i = 0; i < count; ++i) {
    const ElfW(Rela)& relocation = table.first[i];
    const auto type = static_cast<unsigned>(ELF64_R_TYPE(relocation.r_info));
    if (type != kCallEntry && type != kDataEntry && (type != kAddress || relocation.r_addend != 0)) continue;
    const ElfW(Sym)& symbol = object.symbols[ELF64_R_SYM(relocation.r_info)];
    if (symbol.st_shndx != SHN_UNDEF && !scan.list->calls_itself) continue;  // its own
    const Import import = find_import(*scan.list, object.strings + symbol.st_name);
    if (import.name == nullptr || import.real->load(std::memory_order_relaxed) == nullptr) continue;
    redirect(info, import, reinterpret_cast<void**>(info.dlpi_addr + relocation.r_offset), scan);
  }
}

int visit(dl_phdr_info* info, std::size_t /*size*/, void* data) {
  static const char kHere = 0;
  auto& scan = *static_cast<Scan*>(data);
  if (contains(*info, &kHere)) return 0;
  const ElfObject object(*info);
  if (object.symbols == nullptr || object.strings == nullptr) return 0;
  redirect_table(*info, object, object.calls, scan);
  redirect_table(*info, object, object.data, scan);
  return 0;
}

// True: some entry could not be changed yet.
bool redirect_list(const ImportList& list, std::size_t number) noexcept {
  const std::uint64_t bit = std::uint64_t{1} << number;
  const void* witness = (left_alone & bit) != 0 ? nullptr : find_function(list.witness);
  if (witness == nullptr) return false;
  // Unloaded, and loaded again elsewhere: our wrappers would call what is no longer there.
  if (witnesses[number] != nullptr && witnesses[number] != witness) left_alone |= bit;
  witnesses[number] = witness;
  for_each_import(list, [](const Import& import) noexcept {
    if (import.real->load(std::memory_order_relaxed) == nullptr)
      import.real->store(find_function(import.name), std::memory_order_relaxed);
  });
  if ((found_lists & bit) == 0) {
    found_lists |= bit;
    if (!list.found()) left_alone |= bit;
  }
  Scan scan{&list, !list.has_copies || definitions_of(list.witness) == 1};
  if ((left_alone & bit) == 0) (void)each_object(visit, &scan);
  return scan.unsettled;
}

}  // namespace

void free_imports() noexcept { scanning.reset(); }

void redirect_imports() noexcept {
  if (is_too_early()) return;
  const Locked locked(scanning);
  if (!locked) return;
  const unsigned char why = __atomic_exchange_n(&trikal_objects_loaded, kNoneLoaded, __ATOMIC_RELAXED);
  if (why != kLookAgain) rounds_left = kMostRounds, note_objects_changed();
  // The mark is set before the object is loaded: what another thread loads may come to light later.
  bool unsettled = !Spin::is_needless();
  std::size_t number = 0;
  for (const ImportList& list : import_lists()) unsettled = redirect_list(list, number++) || unsettled;
  if (unsettled && --rounds_left > 0) look_again_later();
}

}  // namespace trikal::capture
