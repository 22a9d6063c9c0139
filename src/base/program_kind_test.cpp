#include "base/program_kind.hpp"

#include <elf.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <string>
#include <vector>

namespace trikal {
namespace {

std::vector<std::byte> head_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text(kProgramHead, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  const auto* bytes = reinterpret_cast<const std::byte*>(text.data());
  return {bytes, bytes + file.gcount()};
}

// This test, which is observable, changed into something else.
std::vector<std::byte> own_head() { return head_of("/proc/self/exe"); }

std::string& as_text(std::vector<std::byte>& bytes, std::string& text) {
  text.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return text;
}

std::vector<std::byte> replaced(const std::string& from, const std::string& to) {
  std::vector<std::byte> head = own_head();
  std::string text;
  const std::size_t at = as_text(head, text).find(from);
  EXPECT_NE(at, std::string::npos);
  std::memcpy(head.data() + at, to.data(), to.size());
  return head;
}

TEST(ProgramKind, ThisProgramCanBeObserved) { EXPECT_EQ(look_at_program(own_head()).why, Unseen::kNothing); }

TEST(ProgramKind, WithoutALinkerItIsStatic) {
  std::vector<std::byte> head = own_head();
  Elf64_Ehdr elf;
  std::memcpy(&elf, head.data(), sizeof elf);
  for (std::size_t i = 0; i < elf.e_phnum; ++i) {
    const std::size_t at = elf.e_phoff + i * sizeof(Elf64_Phdr);
    Elf64_Word type = 0;
    std::memcpy(&type, head.data() + at, sizeof type);
    if (type == PT_INTERP) std::memset(head.data() + at, 0, sizeof type);
  }
  EXPECT_EQ(look_at_program(head).why, Unseen::kStatic);
}

TEST(ProgramKind, MuslAndOtherMachines) {
  EXPECT_EQ(look_at_program(replaced("/ld-linux", "/ld-musl-")).why, Unseen::kMusl);
  std::vector<std::byte> narrow = own_head();
  narrow[EI_CLASS] = std::byte{ELFCLASS32};
  EXPECT_EQ(look_at_program(narrow).why, Unseen::kOtherKind);
  std::vector<std::byte> other = own_head();
  other[18] = std::byte{EM_RISCV};
  EXPECT_EQ(look_at_program(other).why, Unseen::kOtherKind);
}

TEST(ProgramKind, GoLeavesANote) {
  std::vector<std::byte> head = own_head();
  head.resize(kProgramHead);
  std::memcpy(head.data() + kProgramHead - 16, "\x04\0\0\0Go\0\0", 8);
  EXPECT_EQ(look_at_program(head).why, Unseen::kGo);
}

TEST(ProgramKind, ScriptsNameTheirInterpreter) {
  const auto script = [](std::string_view text) { return look_at_program(std::as_bytes(std::span(text))).interpreter; };
  EXPECT_EQ(script("#!/bin/sh\necho\n"), "/bin/sh");
  EXPECT_EQ(script("#! \t/usr/bin/env python3 -u\n"), "/usr/bin/env");
  EXPECT_EQ(script("#!"), "");
  EXPECT_EQ(script("echo\n"), "");
}

TEST(ProgramKind, NoLengthIsTooShort) {
  const std::vector<std::byte> head = own_head();
  for (std::size_t n = 0; n < 1024; ++n) (void)look_at_program(std::span(head).first(n));
  std::vector<std::byte> lying = own_head();
  for (std::size_t at = 16; at < 512; ++at) {
    lying[at] = std::byte{0xff};
    (void)look_at_program(lying);
  }
}

}  // namespace
}  // namespace trikal
