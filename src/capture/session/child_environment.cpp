#include "capture/session/child_environment.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <string_view>

#include "base/short_text.hpp"
#include "base/text.hpp"
#include "capture/session/identity.hpp"
#include "capture/session/session.hpp"

namespace trikal::capture {
namespace {

constexpr std::size_t kMostEntries = 4096;  // of what is put on the stack anew
constexpr std::string_view kPreload = "LD_PRELOAD=";
constexpr std::string_view kRunPaths = "TRIKAL_RUN_";  // where `trikal run` wants what its processes did
constexpr std::string_view kProcess = "TRIKAL_PROCESS=";
static_assert(kProcess.starts_with(kProcessVariable));
// Those that name files or directories.
constexpr ShortText<21> kPathVariables[] = {
    "TRIKAL_LOGFILE=",  "TRIKAL_LOGPATH=",  "TRIKAL_MAP_DIRECTORY=", "TRIKAL_CONFIG=",
    "DARSHAN_LOGFILE=", "DARSHAN_LOGPATH=", "DARSHAN_MMAP_LOGPATH=", "DARSHAN_CONFIG_PATH="};

bool begins_with(const char* entry, std::string_view text) noexcept {
  return std::strncmp(entry, text.data(), text.size()) == 0;
}

const KeptEnvironment& kept() noexcept { return session.config.environment(); }

// Not from within a chroot, or where other file systems are mounted: the loader would complain to the user.
bool can_be_loaded(std::string_view library) noexcept {
  char path[1024];
  FixedText text(path, sizeof path);
  if (!library.starts_with('/') || library.find('$') != std::string_view::npos || !text.put(library).whole())
    return true;
  return raw_syscall(__NR_faccessat, AT_FDCWD, raw_pointer(path), R_OK) == 0;
}

// A private /dev/shm hides the one directory that `trikal run` gave us, a private /tmp often the other.
bool can_leave_map() noexcept {
  const Config& config = session.config;
  const auto is_there = [](const char* directory) {
    return directory != nullptr && raw_syscall(__NR_faccessat, AT_FDCWD, raw_pointer(directory), F_OK) == 0;
  };
  return config.run_directory == nullptr || is_there(config.run_directory) || is_there(config.run_overflow);
}

// A setting as this program got it, meant from where it began.
bool is_relative_path(const char* entry) noexcept {
  if (session.config.beginning().empty()) return false;
  for (const std::string_view name : kPathVariables) {
    if (!begins_with(entry, name)) continue;
    const char* value = entry + name.size();
    const char* ours = kept().find(text_until(name, name.size() - 1));
    return value[0] != '/' && value[0] != '\0' && ours != nullptr && std::strcmp(ours, value) == 0;
  }
  return false;
}

// Counts only where there is no text to write to.
class Writer {
 public:
  explicit Writer(char* text) noexcept : text_(text) {}
  Writer& put(std::string_view part) noexcept {
    if (text_ != nullptr) std::memcpy(text_ + length_, part.data(), part.size());
    length_ += part.size();
    return *this;
  }
  std::size_t end() noexcept { return put({"", 1}).length_; }

 private:
  char* text_;
  std::size_t length_ = 0;
};

}  // namespace

ChildEnvironment::ChildEnvironment(char* const* given) noexcept : given_(given) {
  look();
  decide();
  measure();
}

void ChildEnvironment::look() noexcept {
  if (given_ == nullptr) return;
  for (char* const* entry = given_; *entry != nullptr; ++entry, ++count_) {
    if (preload_ == nullptr && begins_with(*entry, kPreload)) preload_ = *entry + kPreload.size();
    if (!KeptEnvironment::is_setting(*entry)) continue;
    if (begins_with(*entry, kProcess)) {
      has_process_ = true;
      continue;
    }
    has_settings_ = true;
    has_run_paths_ = has_run_paths_ || begins_with(*entry, kRunPaths);
  }
}

void ChildEnvironment::decide() noexcept {
  const std::string_view library = kept().library();
  if (library.empty()) return;  // we came by another way, and so shall the program
  const bool is_named = preload_ != nullptr && names_library(preload_);
  overwritten_ = !is_named && kept().is_overwritten();
  bool add = !is_named;
  // Made anew has nothing of ours at all; outside of `trikal run` nobody could tell it from a user's unset.
  if (preload_ == nullptr) add = overwritten_ || (session.config.run_directory != nullptr && !has_settings_);
  else if (preload_[0] == '\0') add = false;
  if (!can_be_loaded(library)) {
    why_ = is_named || add ? Unseen::kUnreachable : Unseen::kEnvironment;
    if (is_named) library_ = Library::kDrop;
  } else if (!is_named) {
    add = add && count_ <= kMostEntries;
    why_ = add ? Unseen::kNothing : Unseen::kEnvironment;
    if (add) library_ = Library::kAdd;
  }
  if (why_ == Unseen::kNothing && !can_leave_map()) why_ = Unseen::kHidden;
  // Outside of `trikal run`, only a map that waits for its log need be told of.
  tells_process_ = why_ == Unseen::kNothing && (session.config.run_directory != nullptr || session.arena.file_backed());
}

bool ChildEnvironment::has(const char* entry) const noexcept {
  const std::string_view name(entry, static_cast<std::size_t>(std::strchr(entry, '=') + 1 - entry));
  return std::any_of(given_, given_ + count_, [name](const char* one) { return begins_with(one, name); });
}

template <class Use>
void ChildEnvironment::for_each_missing(const Use& use) const noexcept {
  if (why_ != Unseen::kNothing || kept().library().empty()) return;
  if (library_ == Library::kAdd && preload_ == nullptr) use(kPreload.data());
  if (tells_process_ && !has_process_) use(kProcess.data());
  const bool all = !has_settings_ || overwritten_;
  if (!all && has_run_paths_) return;
  kept().for_each_setting([&](const char* entry) {
    if ((all || begins_with(entry, kRunPaths)) && !begins_with(entry, kProcess) && !has(entry)) use(entry);
  });
}

std::size_t ChildEnvironment::rewrite(const char* entry, char* text) const noexcept {
  Writer out(text);
  if (library_ != Library::kLeave && begins_with(entry, kPreload)) {
    std::string_view list(entry + kPreload.size());
    out.put(kPreload);
    // Ours comes last: there are libraries that insist on being first.
    if (library_ == Library::kAdd) return out.put(list).put(list.empty() ? "" : ":").put(kept().library()).end();
    std::string_view library;
    (void)names_library(list, &library);
    const auto before = static_cast<std::size_t>(library.data() - list.data());
    return out.put(text_until(list, before)).put(text_after(list, before + library.size())).end();
  }
  if (tells_process_ && begins_with(entry, kProcess)) {
    char identity[kIdentityText];
    return out.put(kProcess).put({identity, write_identity(session.arena.header()->identity, identity)}).end();
  }
  if (!is_relative_path(entry)) return 0;
  const auto name = static_cast<std::size_t>(std::strchr(entry, '=') + 1 - entry);
  return out.put({entry, name}).put(session.config.beginning()).put(entry + name).end();
}

void ChildEnvironment::measure() noexcept {
  if (count_ > kMostEntries) return;
  std::size_t text = 0;
  const auto add = [&](const char* entry) { text += rewrite(entry, nullptr); };
  if (library_ != Library::kLeave || has_process_ || !session.config.beginning().empty())
    std::for_each(given_, given_ + count_, add);
  for_each_missing([&](const char* entry) { add(entry), ++added_; });
  if (text > 0 || added_ > 0) bytes_ = (count_ + added_ + 1) * sizeof(char*) + text;
}

char* const* ChildEnvironment::make(void* memory, bool is_observed) const noexcept {
  auto** entries = static_cast<char**>(memory);
  char* text = reinterpret_cast<char*>(entries + count_ + added_ + 1);
  char** at = entries;
  const auto add = [&](const char* entry) {
    if (!is_observed && begins_with(entry, kProcess)) return;  // what that one starts would take it for its parent's
    const std::size_t length = rewrite(entry, text);
    *at++ = length > 0 ? text : const_cast<char*>(entry);
    text += length;
  };
  std::for_each(given_, given_ + count_, add);
  for_each_missing(add);
  *at = nullptr;
  return entries;
}

}  // namespace trikal::capture
