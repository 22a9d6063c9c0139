#include "base/program_kind.hpp"

#include <elf.h>

#include <algorithm>
#include <cstring>

#include "base/short_text.hpp"
#include "base/text.hpp"

namespace trikal {
namespace {

#if defined(__x86_64__)
constexpr Elf64_Half kOwnMachine = EM_X86_64;
#elif defined(__aarch64__)
constexpr Elf64_Half kOwnMachine = EM_AARCH64;
#endif

std::string_view text_of(std::span<const std::byte> bytes) noexcept {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// "#! /usr/bin/env -S x": the first word.
std::string_view interpreter_of(std::string_view line) noexcept {
  line = text_until(line, line.find('\n'));
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  return text_until(line, line.find_first_of(" \t\r"));
}

// The note that every Go linker puts near the front: length of name 4, type 4, "Go".
bool has_go_note(std::string_view head) noexcept {
  static constexpr std::string_view kNote("\x04\0\0\0Go\0\0", 8);
  return head.find(kNote) != std::string_view::npos;
}

// The dynamic linker a program asks for; empty: none.
std::string_view linker_of(std::span<const std::byte> head, const Elf64_Ehdr& elf) noexcept {
  for (std::size_t i = 0; i < elf.e_phnum; ++i) {
    const std::size_t at = elf.e_phoff + i * elf.e_phentsize;
    if (elf.e_phentsize != sizeof(Elf64_Phdr) || at > head.size() || head.size() - at < sizeof(Elf64_Phdr)) break;
    Elf64_Phdr part;
    std::memcpy(&part, head.data() + at, sizeof part);
    if (part.p_type != PT_INTERP) continue;
    if (part.p_offset > head.size() || head.size() - part.p_offset < part.p_filesz) return "?";  // there is one
    return text_of(head.subspan(part.p_offset, part.p_filesz));
  }
  return {};
}

}  // namespace

std::string_view unseen_word(Unseen why) noexcept {
  static constexpr ShortText<11> kWords[kUnseenKinds] = {
      "seen",   "static",   "go",       "musl",     "32-bit",  "privileged", "environment", "unreachable",
      "hidden", "no-space", "io_uring", "deepbind", "dlmopen", "excluded",   "linked-in"};
  const auto at = static_cast<std::size_t>(why);
  return at < kUnseenKinds ? kWords[at].view() : "unknown";
}

bool is_unseen_program(std::string_view word) noexcept {
  for (std::size_t i = static_cast<std::size_t>(Unseen::kNoSpace); i < kUnseenKinds; ++i) {
    if (word == unseen_word(static_cast<Unseen>(i))) return false;
  }
  return true;
}

std::string_view unseen_text(Unseen why) noexcept {
  switch (why) {
    case Unseen::kNothing: return "can be observed";
    case Unseen::kStatic: return "statically linked: nothing can be preloaded into it";
    case Unseen::kGo: return "a Go program: its system calls do not pass through libc";
    case Unseen::kMusl: return "linked with musl: only programs of glibc are observed";
    case Unseen::kOtherKind: return "made for another kind of processor than this library";
    case Unseen::kPrivileged: return "setuid or setgid: the dynamic linker ignores LD_PRELOAD";
    case Unseen::kEnvironment: return "started with an environment without LD_PRELOAD";
    case Unseen::kUnreachable: return "the observing library is not in the directories it sees (chroot, other mounts)";
    case Unseen::kHidden: return "the directories of trikal run are hidden from it (private /dev/shm and /tmp)";
    case Unseen::kNoSpace: return "no space was left for what it did";
    case Unseen::kIoUring: return "io_uring passes by libc";
    case Unseen::kDeepBind: return "loaded with RTLD_DEEPBIND: its calls pass by preloaded libraries";
    case Unseen::kNamespace: return "loaded by dlmopen, with a libc of its own";
    case Unseen::kExcluded: return "not watched unless --include names it";
    case Unseen::kLinkedIn: return "HDF5 is linked into it: only the POSIX calls below are seen";
  }
  return "unknown";
}

ProgramKind look_at_program(std::span<const std::byte> head) noexcept {
  const std::string_view text = text_of(head);
  if (text.starts_with("#!")) return {Unseen::kNothing, interpreter_of(text_after(text, 2))};
  if (!text.starts_with(ELFMAG) || head.size() < sizeof(Elf64_Ehdr)) return {};
  Elf64_Ehdr elf;
  std::memcpy(&elf, head.data(), sizeof elf);
  if (elf.e_ident[EI_CLASS] != ELFCLASS64 || elf.e_machine != kOwnMachine) return {Unseen::kOtherKind, {}};
  if (has_go_note(text)) return {Unseen::kGo, {}};
  const std::string_view linker = linker_of(head, elf);
  if (linker.empty()) return {Unseen::kStatic, {}};
  return {linker.find("ld-musl") != std::string_view::npos ? Unseen::kMusl : Unseen::kNothing, {}};
}

}  // namespace trikal
