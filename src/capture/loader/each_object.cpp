#include "capture/loader/each_object.hpp"

#include <sys/auxv.h>

#include <atomic>
#include <cstring>

#include "capture/guard/spin.hpp"
#include "capture/raw.hpp"

namespace trikal::capture {
namespace {

struct Program {
  const ElfW(Phdr) * first = nullptr;
  std::size_t count = 0;
};

Program program() noexcept { return {reinterpret_cast<const ElfW(Phdr)*>(getauxval(AT_PHDR)), getauxval(AT_PHNUM)}; }

// The loader leaves its list to debuggers, in the program's own table. Null: it does not.
const link_map* find_list() noexcept {
  const Program own = program();
  ElfW(Addr) base = 0;
  const ElfW(Dyn)* entry = nullptr;
  for (std::size_t i = 0; own.first != nullptr && i < own.count; ++i) {
    const ElfW(Phdr)& segment = own.first[i];
    if (segment.p_type == PT_PHDR) base = reinterpret_cast<ElfW(Addr)>(own.first) - segment.p_vaddr;
    if (segment.p_type == PT_DYNAMIC) entry = reinterpret_cast<const ElfW(Dyn)*>(base + segment.p_vaddr);
  }
  for (; entry != nullptr && entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag != DT_DEBUG || entry->d_un.d_ptr == 0) continue;
    return reinterpret_cast<const r_debug*>(entry->d_un.d_ptr)->r_map;
  }
  return nullptr;
}

const link_map* next_of(const link_map* object) noexcept { return __atomic_load_n(&object->l_next, __ATOMIC_ACQUIRE); }

const link_map* last_of(const link_map* object) noexcept {
  while (object != nullptr && next_of(object) != nullptr) object = next_of(object);
  return object;
}

// The list, and the last object of those that were there when it was first asked for: before the program could load any.
struct FirstObjects {
  const link_map* list;
  const link_map* last;
};
FirstObjects first_objects() noexcept {
  static constinit std::atomic<const link_map*> kept_list{nullptr}, kept_last{nullptr};
  if (const link_map* list = kept_list.load(std::memory_order_acquire))
    return {list, kept_last.load(std::memory_order_relaxed)};
  const link_map* list = find_list();
  const link_map* last = last_of(list);
  kept_last.store(last, std::memory_order_relaxed);
  kept_list.store(list, std::memory_order_release);
  return {list, last};
}

// False: its memory is not there (any more), or its tables are not where they are expected.
bool describe(const link_map& object, bool is_program, bool is_there, dl_phdr_info& info) noexcept {
  info.dlpi_addr = object.l_addr;
  info.dlpi_name = object.l_name;
  if (is_program) {
    const Program own = program();
    info.dlpi_phdr = own.first, info.dlpi_phnum = static_cast<ElfW(Half)>(own.count);
    return true;
  }
  if (!is_there && (!can_be_read(object.l_addr) || !can_be_read(reinterpret_cast<std::uintptr_t>(object.l_ld))))
    return false;
  const auto* header = reinterpret_cast<const ElfW(Ehdr)*>(object.l_addr);
  if (std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_phentsize != sizeof(ElfW(Phdr))) return false;
  info.dlpi_phdr = reinterpret_cast<const ElfW(Phdr)*>(object.l_addr + header->e_phoff);
  info.dlpi_phnum = header->e_phnum;
  return true;
}

// Whether a visit has ended it.
bool walk_first(const FirstObjects& first, ObjectVisit* visit, void* data) noexcept {
  // The end is told by the last object itself: what follows it changes whenever another thread loads or unloads something.
  for (const link_map* object = first.list; object != nullptr;
       object = object == first.last ? nullptr : next_of(object)) {
    dl_phdr_info info{};
    if (describe(*object, object == first.list, true, info) && visit(&info, sizeof info, data) != 0) return true;
  }
  return false;
}

// In a forked child, which has no other thread. Its parent's may have been about to take these out of the list.
bool walk_later(const FirstObjects& first, ObjectVisit* visit, void* data) noexcept {
  for (const link_map* object = next_of(first.last); object != nullptr; object = next_of(object)) {
    dl_phdr_info info{};
    if (describe(*object, false, false, info) && visit(&info, sizeof info, data) != 0) return true;
  }
  return false;
}

constinit bool forks_among_threads = false;  // of whoever forks: they all say the same
// In a child that was forked among threads, the last object by then. Once there is one behind it, the lock was free.
constinit std::atomic<const link_map*> last_at_fork{nullptr};

}  // namespace

bool each_first_object(ObjectVisit* visit, void* data) noexcept { return walk_first(first_objects(), visit, data); }

bool has_later_objects() noexcept {
  const FirstObjects first = first_objects();
  return first.list == nullptr || next_of(first.last) != nullptr;
}

bool each_object(ObjectVisit* visit, void* data) noexcept {
  const link_map* last = last_at_fork.load(std::memory_order_relaxed);
  if (last != nullptr && next_of(last) == nullptr) {
    const FirstObjects first = first_objects();
    return walk_first(first, visit, data) || walk_later(first, visit, data);
  }
  if (last != nullptr) last_at_fork.store(nullptr, std::memory_order_relaxed);
  return dl_iterate_phdr(visit, data) != 0;
}

void before_fork_of_loader() noexcept {
  __atomic_store_n(&forks_among_threads, !Spin::is_needless(), __ATOMIC_RELAXED);
}

void after_fork_of_loader() noexcept {
  const bool is_held = last_at_fork.load(std::memory_order_relaxed) != nullptr;
  if (!is_held && !__atomic_load_n(&forks_among_threads, __ATOMIC_RELAXED)) return;
  last_at_fork.store(last_of(first_objects().list), std::memory_order_relaxed);
}

}  // namespace trikal::capture
