#include "capture/records/loaded_objects.hpp"

#include <fcntl.h>

#include <algorithm>
#include <cstring>
#include <new>

#include "base/hash.hpp"
#include "capture/loader/each_object.hpp"
#include "capture/session/session.hpp"
#include "capture/tables/private_memory.hpp"

namespace trikal::capture {
namespace {

using log::crash::ObjectSlot;

constexpr std::uintptr_t kPage = 4096;

struct Range {
  std::uintptr_t begin = UINTPTR_MAX, end = 0;
};

// From the first segment to the last: loaders reserve all of it.
Range range_of(const dl_phdr_info& info) noexcept {
  Range range;
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = info.dlpi_phdr[i];
    if (segment.p_type != PT_LOAD) continue;
    const std::uintptr_t begin = info.dlpi_addr + segment.p_vaddr;
    range.begin = std::min(range.begin, begin);
    range.end = std::max(range.end, begin + segment.p_memsz);
  }
  return range;
}

// The build id among the notes of one segment.
void take_build(const std::byte* note, std::size_t bytes, ObjectSlot& slot) noexcept {
  constexpr std::uint32_t kBuildId = 3;  // NT_GNU_BUILD_ID
  while (bytes >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) head;
    std::memcpy(&head, note, sizeof head);
    const std::size_t name = (std::size_t{head.n_namesz} + 3) / 4 * 4, text = (std::size_t{head.n_descsz} + 3) / 4 * 4;
    if (bytes - sizeof head < name || bytes - sizeof head - name < text) return;
    const std::byte* words = note + sizeof head;
    if (head.n_type == kBuildId && head.n_namesz == 4 && std::memcmp(words, "GNU", 4) == 0) {
      slot.build_bytes = std::min<std::uint32_t>(head.n_descsz, ObjectSlot::kBuildBytes);
      std::memcpy(slot.build, words + name, slot.build_bytes);
      return;
    }
    note = words + name + text;
    bytes -= sizeof head + name + text;
  }
}

void take_build(const dl_phdr_info& info, ObjectSlot& slot) noexcept {
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = info.dlpi_phdr[i];
    if (segment.p_type == PT_NOTE && slot.build_bytes == 0)
      take_build(reinterpret_cast<const std::byte*>(info.dlpi_addr + segment.p_vaddr), segment.p_memsz, slot);
  }
}

// The loader has no name for the program itself.
void take_path(const dl_phdr_info& info, ObjectSlot& slot) noexcept {
  if (info.dlpi_name != nullptr && info.dlpi_name[0] != '\0') {
    slot.path_bytes = static_cast<std::uint32_t>(strnlen(info.dlpi_name, ObjectSlot::kPathBytes));
    std::memcpy(slot.path, info.dlpi_name, slot.path_bytes);
    return;
  }
  const long got = raw_syscall(__NR_readlinkat, AT_FDCWD, raw_pointer("/proc/self/exe"), raw_pointer(slot.path),
                               static_cast<long>(ObjectSlot::kPathBytes));
  slot.path_bytes = got > 0 ? static_cast<std::uint32_t>(got) : 0;
}

}  // namespace

const LoadedObjects::Object* LoadedObjects::find(std::uintptr_t address) noexcept {
  const auto holds = [address](const Object& one) { return one.loaded && address - one.begin < one.end - one.begin; };
  if (last_ != nullptr && holds(*last_)) return last_;
  for (std::size_t i = 0; i < used_; ++i) {
    if (holds(objects_[i])) return last_ = &objects_[i];
  }
  return nullptr;
}

void LoadedObjects::look() noexcept { (void)each_object(visit, this); }

int LoadedObjects::visit(dl_phdr_info* info, std::size_t /*size*/, void* self) {
  auto& objects = *static_cast<LoadedObjects*>(self);
  const Locked locked(objects.lock);
  if (!locked) return 0;
  objects.add(*info);
  return 0;
}

void LoadedObjects::add(const dl_phdr_info& info) noexcept {
  if (objects_ == nullptr) objects_ = static_cast<Object*>(private_pages(kMost * sizeof(Object)));
  const Range range = range_of(info);
  if (objects_ == nullptr || range.begin >= range.end) return;
  const std::uint64_t name = record_id(std::string_view(info.dlpi_name != nullptr ? info.dlpi_name : ""));
  for (std::size_t i = 0; i < used_; ++i) {
    Object& known = objects_[i];
    if (known.begin != range.begin || known.end != range.end || known.name != name || known.number == 0) continue;
    known.loaded = true;
    return;
  }
  if (used_ == kMost) return;
  const std::uint64_t number = name_it(info);
  if (number == 0) return;
  const std::string_view path = info.dlpi_name != nullptr ? info.dlpi_name : "";
  const Python python(info);
  if (python.is_there()) python_ = python;
  objects_[used_++] = {
      range.begin, range.end, info.dlpi_addr, name, number, true, owner_of(path, python.is_there()), UnwindTable(info)};
}

std::uint64_t LoadedObjects::name_it(const dl_phdr_info& info) noexcept {
  ObjectSlot* slot = slots_.next();
  if (slot == nullptr) return 0;
  slot->number = ++numbers_;
  take_path(info, *slot);
  take_build(info, *slot);
  slots_.publish();
  return slot->number;
}

void LoadedObjects::leave_out(std::uintptr_t address) noexcept {
  const std::uintptr_t page = address & ~(kPage - 1);
  if (objects_ != nullptr && used_ < kMost)
    objects_[used_++] = {page, page + kPage, 0, 0, 0, true, CodeOwner::kLibrary, {}};
}

void LoadedObjects::forget() noexcept {
  last_ = nullptr;
  for (std::size_t i = 0; i < used_; ++i) objects_[i].loaded = false;
}

}  // namespace trikal::capture
