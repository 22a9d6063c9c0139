#include "capture/session/kept_environment.hpp"

#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "base/short_text.hpp"
#include "base/text.hpp"
#include "capture/raw.hpp"
#include "capture/tables/private_memory.hpp"

namespace trikal::capture {
namespace {

constexpr std::string_view kPreload = "LD_PRELOAD=";
constexpr std::string_view kLibrary = "libtrikal";
constexpr ShortText<8> kSettings[] = {"TRIKAL_", "DARSHAN_", "DXT_"};
constexpr ShortText<15> kOthers[] = {"LD_PRELOAD=", "HOME=", "LOGNAME=", "TZ=", "TZDIR=", "XDG_STATE_HOME="};

bool begins_with(const char* entry, std::string_view text) noexcept {
  return *entry == text.front() && std::strncmp(entry, text.data(), text.size()) == 0;
}

bool is_kept(const char* entry) noexcept {
  const auto begins = [entry](std::string_view text) { return begins_with(entry, text); };
  return KeptEnvironment::is_setting(entry) || std::ranges::any_of(kOthers, begins);
}

}  // namespace

bool names_library(std::string_view list, std::string_view* library) noexcept {
  while (!list.empty()) {
    const std::string_view item = text_until(list, list.find_first_of(": "));
    const std::size_t slash = item.rfind('/');
    if (text_after(item, slash == std::string_view::npos ? 0 : slash + 1).starts_with(kLibrary)) {
      if (library != nullptr) *library = item;
      return true;
    }
    list.remove_prefix(std::min(item.size() + 1, list.size()));
  }
  return false;
}

bool KeptEnvironment::is_setting(const char* entry) noexcept {
  return std::ranges::any_of(kSettings, [entry](std::string_view prefix) { return begins_with(entry, prefix); });
}

void KeptEnvironment::begin() noexcept {
  bytes_ = 0, text_ = usual_, preload_ = nullptr, library_ = {};
  if (environ == nullptr) return;
  std::size_t bytes = 0;
  for (char** entry = environ; *entry != nullptr; ++entry) bytes += is_kept(*entry) ? std::strlen(*entry) + 1 : 0;
  char* text = bytes <= kUsualBytes ? usual_ : static_cast<char*>(private_pages(bytes));
  if (text == nullptr) return;
  text_ = text;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    if (!is_kept(*entry)) continue;
    const std::size_t length = std::strlen(*entry) + 1;
    if (length > bytes - bytes_) return;  // somebody changes the environment meanwhile
    std::memcpy(text + bytes_, *entry, length);
    bytes_ += length;
    if (preload_ == nullptr && begins_with(*entry, kPreload)) preload_ = *entry;
  }
  if (const char* list = find("LD_PRELOAD")) (void)names_library(list, &library_);
}

const char* KeptEnvironment::find(std::string_view name) const noexcept {
  const char* found = nullptr;
  for_each([&](const char* entry) {
    if (found == nullptr && begins_with(entry, name) && entry[name.size()] == '=') found = entry + name.size() + 1;
  });
  return found;
}

bool KeptEnvironment::is_overwritten() const noexcept {
  const char* kept = find("LD_PRELOAD");
  if (kept == nullptr || preload_ == nullptr) return false;
  kept -= kPreload.size();
  char now[256] = {};
  const std::size_t bytes = std::min(std::strlen(kept), sizeof now);
  // The kernel reads it for us: a program may have given that memory back.
  const iovec here{now, bytes}, there{const_cast<char*>(preload_), bytes};
  const long got =
      raw_syscall(__NR_process_vm_readv, raw_syscall(__NR_getpid), raw_pointer(&here), 1, raw_pointer(&there), 1, 0);
  return got == static_cast<long>(bytes) && std::memcmp(now, kept, bytes) != 0;
}

}  // namespace trikal::capture
