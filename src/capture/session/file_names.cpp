// From what a program says ("../data/x", relative to a directory descriptor) to the file it means.

#include <fcntl.h>

#include <cstring>

#include "base/hash.hpp"
#include "base/text.hpp"
#include "capture/rare.hpp"
#include "capture/session/session.hpp"
#include "capture/tables/distinct_count.hpp"
#include "schema/overflow.hpp"
#include "schema/system_paths.hpp"

namespace trikal::capture {
namespace {

TRIKAL_RARE constinit DistinctCount folded_files;  // of this process

class Resolver {
 public:
  Resolver(Session& owner, int directory, const char* path) noexcept : clean_(path) {
    if (is_clean(clean_)) return;
    locked_ = path_scratch.in_use.lock();
    if (!locked_) clean_ = {};
    if (!locked_) return;
    clean_ = path_scratch.cleaner.make(base_of(owner, directory), clean_);
    if (!clean_.starts_with('/')) clean_ = {};  // relative to what cannot be told
  }
  ~Resolver() {
    if (locked_) path_scratch.in_use.unlock();
  }
  Resolver(const Resolver&) = delete;
  Resolver& operator=(const Resolver&) = delete;

  // Empty: it cannot be told.
  [[nodiscard]] std::string_view clean() const noexcept { return clean_; }

 private:
  std::string_view base_of(Session& owner, int directory) noexcept {
    if (clean_.starts_with('/')) return {};
    char* base = path_scratch.base;
    if (directory == AT_FDCWD) return {base, owner.paths.working_directory(base, sizeof path_scratch.base)};
    if (const Held known = owner.descriptors.hold(directory))
      return static_cast<const File*>(known.slot->file.load(std::memory_order_relaxed))->text();
    return {base, ask(directory)};
  }

  // A directory nobody watches: the kernel knows its name.
  static std::size_t ask(int directory) noexcept {
    char link[32];
    FixedText text(link, sizeof link);
    text.put("/proc/self/fd/").put(static_cast<std::uint64_t>(directory < 0 ? 0 : directory));
    char* base = path_scratch.base;
    const long got =
        raw_syscall(__NR_readlinkat, AT_FDCWD, raw_pointer(link), raw_pointer(base), sizeof path_scratch.base);
    return got > 0 && base[0] == '/' ? static_cast<std::size_t>(got) : 0;
  }

  std::string_view clean_;
  bool locked_ = false;
};

}  // namespace

// Not what the user excluded.
void Session::note_excluded(std::string_view name) noexcept {
  static_assert(kDataPrefixCount <= log::crash::SelfFacts::kMostPrefixes);
  if (!config.default_excludes || is_shared_memory(name)) return;
  for (std::size_t i = 0; i < kDataPrefixCount; ++i) {
    if (name.starts_with(kDataPrefixes[i]))
      return void(arena.header()->self.excluded[i].fetch_add(1, std::memory_order_relaxed));
  }
}

File* Session::file_at(int directory, const char* path) noexcept {
  if (path == nullptr || path[0] == '\0') return nullptr;
  const Resolver resolver(*this, directory, path);
  const std::string_view name = resolver.clean();
  if (name.empty()) return nullptr;
  if (File* recent = recent_files.find(name)) return recent;
  const std::uint64_t id = record_id(name);
  File* file = files.find(id);  // if there, it is watched
  if (file == nullptr && !config.watches(name)) return note_excluded(name), nullptr;
  if (file == nullptr) file = files.find_or_add(id, name);
  if (file != nullptr) return recent_files.add(file), file;
  count_folded(id);
  return folded_file(name);
}

File* Session::known_file_at(int directory, const char* path, bool* watched) noexcept {
  if (watched != nullptr) *watched = false;
  if (path == nullptr || path[0] == '\0') return nullptr;
  const Resolver resolver(*this, directory, path);
  if (watched != nullptr) *watched = !resolver.clean().empty() && config.watches(resolver.clean());
  return resolver.clean().empty() ? nullptr : files.find(record_id(resolver.clean()));
}

void Session::count_folded(std::uint64_t id) noexcept {
  arena.header()->self.folded.store(folded_files.add(id), std::memory_order_relaxed);
}

void Session::forget_folded() noexcept { folded_files.reset(); }

File* Session::folded_file(std::string_view name) noexcept {
  char text[512];
  std::size_t length = kOverflowPrefix.size();
  std::memcpy(text, kOverflowPrefix.data(), length);
  std::string_view mount = mounts.mount_of(name);
  if (mount.size() > sizeof text - length - 1) mount.remove_suffix(mount.size() - (sizeof text - length - 1));
  std::memcpy(text + length, mount.data(), mount.size());
  length += mount.size();
  text[length++] = kOverflowEnd;
  return files.find_or_add_reserved({text, length});
}

}  // namespace trikal::capture
