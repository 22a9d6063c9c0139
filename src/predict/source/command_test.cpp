#include "predict/source/command.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace trikal::predict {
namespace {

using Words = std::vector<std::string>;

TEST(CompileCommand, AnObject) {
  const CompileCommand one = understand({"-O2", "-c", "src/a.c", "-o", "obj/a.o", "-MF", "a.d"}, "/w");
  EXPECT_EQ(one.sources, Words{"src/a.c"});
  EXPECT_EQ(one.output, "obj/a.o");
  EXPECT_TRUE(one.inputs.empty() && !one.links && one.makes_something());
  EXPECT_EQ(understand({"-c", "src/a.c"}, "/w").output, "a.o");
  EXPECT_EQ(understand({"-c", "a.c", "b.cpp"}, "/w").sources, (Words{"a.c", "b.cpp"}));
}

TEST(CompileCommand, AProgram) {
  const CompileCommand one = understand({"main.o", "x/util.a", "-Llib", "-l", "z", "-lm", "-o", "run"}, "/w");
  EXPECT_EQ(one.inputs, (Words{"main.o", "x/util.a", "-Llib", "-lz", "-lm"}));
  EXPECT_TRUE(one.links && one.sources.empty() && one.output == "run");
  EXPECT_EQ(understand({"main.c"}, "/w").output, "a.out");
  EXPECT_TRUE(understand({"-shared", "a.o", "-o", "liba.so.1"}, "/w").loadable);
}

TEST(CompileCommand, WhatMakesNothing) {
  for (const Words& words : {Words{"--version"}, Words{"-E", "a.c"}, Words{"-MM", "a.c"}, Words{}, Words{"-o"},
                             Words{"-v"}, Words{"-S", "a.c"}, Words{"-I"}})
    EXPECT_FALSE(understand(words, "/w").makes_something()) << (words.empty() ? "" : words[0]);
  EXPECT_TRUE(understand({"-v", "a.c"}, "/w").makes_something());
}

TEST(CompileCommand, ValuesAreNoInputs) {
  const CompileCommand one = understand({"-include", "a.c", "-D", "b.o", "-Xlinker", "c.a", "-c", "d.c"}, "/w");
  EXPECT_EQ(one.sources, Words{"d.c"});
  EXPECT_TRUE(one.inputs.empty());
}

TEST(CompileCommand, WordsInAFile) {
  const std::string folder = ::testing::TempDir();
  std::ofstream(folder + "/words.rsp") << "a.o \"b.o\"\nc.o";
  EXPECT_EQ(understand({"@words.rsp", "-o", "run"}, folder).inputs, (Words{"a.o", "b.o", "c.o"}));
  EXPECT_TRUE(understand({"@absent.rsp", "-o", "run"}, folder).inputs.empty());
}

std::string member(std::string name, const std::string& data) {
  std::string header = name + std::string(16 - name.size(), ' ') + std::string(32, ' ');
  std::string size = std::to_string(data.size());
  header += size + std::string(10 - size.size(), ' ') + "`\n";
  return header + data + (data.size() % 2 == 1 ? "\n" : "");
}

TEST(Archive, NamesItsFiles) {
  const std::string path = ::testing::TempDir() + "/names-" + std::to_string(getpid()) + ".a";
  const auto write = [&](const std::string& text) { std::ofstream(path, std::ios::binary) << text; };
  write("!<arch>\n" + member("/", "index") + member("//", "a_name_that_is_quite_long.o/\n") + member("a.o/", "odd") +
        member("/0", "even"));
  EXPECT_EQ(archive_members(path), (Words{"a.o", "a_name_that_is_quite_long.o"}));
  write("!<thin>\n" + member("//", "obj/x.o/\n"));
  EXPECT_TRUE(archive_members(path).empty());
  ::unlink(path.c_str());
}

TEST(Archive, DamageIsNoCrash) {
  const std::string path = ::testing::TempDir() + "/damaged-" + std::to_string(getpid()) + ".a";
  const std::string whole =
      "!<arch>\n" + member("//", "long_name_of_an_object.o/\n") + member("/0", "x") + member("/99999", "x");
  for (std::size_t size = 0; size <= whole.size(); ++size) {
    std::ofstream(path, std::ios::binary) << whole.substr(0, size);
    EXPECT_LE(archive_members(path).size(), 2U);
  }
  std::ofstream(path, std::ios::binary) << "!<arch>\n" + std::string(48, 'x') + "9999999999`\n";
  EXPECT_LE(archive_members(path).size(), 1U);
  EXPECT_TRUE(archive_members("/nowhere/at/all.a").empty());
  ::unlink(path.c_str());
}

}  // namespace
}  // namespace trikal::predict
