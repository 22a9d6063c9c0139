#include "capture/session/settings.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "capture/session/config.hpp"

namespace trikal::capture {
namespace {

// A configuration file and an environment of the test's own.
class SettingsTest : public testing::Test {
 protected:
  SettingsTest() {
    clean();
    std::string pattern = testing::TempDir() + "trikal-settings-XXXXXX";
    const int file = ::mkstemp(pattern.data());
    EXPECT_GE(file, 0);
    ::close(file);
    path_ = pattern;
  }
  ~SettingsTest() override {
    clean();
    std::filesystem::remove(path_);
  }

  static void clean() {
    for (const char* name :
         {"TRIKAL_CONFIG", "DARSHAN_CONFIG_PATH", "TRIKAL_MEMORY", "DARSHAN_MODMEM", "TRIKAL_EXCLUDE", "TRIKAL_INCLUDE",
          "TRIKAL_MODULES", "TRIKAL_DISABLE", "RANK", "MY_JOB", "TRIKAL_JOBID"})
      ::unsetenv(name);
  }

  void file(const std::string& text) {
    FILE* out = std::fopen(path_.c_str(), "w");
    std::fwrite(text.data(), 1, text.size(), out);
    std::fclose(out);
    ::setenv("TRIKAL_CONFIG", path_.c_str(), 1);
  }
  const Settings& read() {
    settings_ = std::make_unique<Settings>();
    settings_->begin();
    return *settings_;
  }
  std::vector<std::string> all(std::string_view name) {
    std::vector<std::string> values;
    settings_->for_each(name, [&](const char* value) { values.emplace_back(value); });
    return values;
  }
  const Config& config() {
    config_ = std::make_unique<Config>();
    config_->read();
    return *config_;
  }

  std::string path_;
  std::unique_ptr<Settings> settings_;
  std::unique_ptr<Config> config_;
};

TEST_F(SettingsTest, OwnNameThenDarshansThenTheFile) {
  file("MEMORY 1\nMODMEM 2\n");
  EXPECT_STREQ(read().find("MEMORY", "MODMEM"), "1");
  ::setenv("DARSHAN_MODMEM", "3", 1);
  EXPECT_STREQ(read().find("MEMORY", "MODMEM"), "3");
  ::setenv("TRIKAL_MEMORY", "4", 1);
  EXPECT_STREQ(read().find("MEMORY", "MODMEM"), "4");
  EXPECT_STREQ(read().find(nullptr, "MODMEM"), "3");
  EXPECT_EQ(read().find("EXCLUDE", nullptr), nullptr);
}

TEST_F(SettingsTest, LinesAreReadAsPeopleWriteThem) {
  file("\n# MEMORY 1\n   \t\n\tMEMORY \t 7 \r\nDISABLE\nNAME_EXCLUDE a b\nNAME_EXCLUDE c\nLOGPATH /x y");
  read();
  EXPECT_EQ(all("MEMORY"), (std::vector<std::string>{"7"}));
  EXPECT_EQ(all("DISABLE"), (std::vector<std::string>{""})) << "no value is one";
  EXPECT_EQ(all("NAME_EXCLUDE"), (std::vector<std::string>{"a b", "c"}));
  EXPECT_EQ(all("LOGPATH"), (std::vector<std::string>{"/x y"})) << "the last line needs no end";
}

TEST_F(SettingsTest, UnknownDirectivesAreToldOnceEach) {
  file("MEMROY 5\nMEMORY 6\n" + std::string(300, 'Z') + " 1\n");
  testing::internal::CaptureStderr();
  EXPECT_STREQ(read().find("MEMORY", nullptr), "6");
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(said.find("MEMROY"), std::string::npos);
  EXPECT_EQ(std::ranges::count(said, '\n'), 2);
  EXPECT_LT(said.size(), 300U) << "names without end are cut";
}

TEST_F(SettingsTest, FilesWithoutEndAreCut) {
  std::string text = "MEMORY 9\n";
  while (text.size() < 40000) text += "NAME_EXCLUDE x\n";
  file(text);
  EXPECT_STREQ(read().find("MEMORY", nullptr), "9");
  EXPECT_LE(all("NAME_EXCLUDE").size(), 128U);
  file(std::string(20000, '#'));
  EXPECT_EQ(read().find("MEMORY", nullptr), nullptr);
  file("MEMORY " + std::string(20000, '1'));
  EXPECT_EQ(std::string(read().find("MEMORY", nullptr)).size(), 16 * 1024 - 1 - 7) << "ended by a NUL all the same";
}

TEST_F(SettingsTest, AFileThatIsNotThereIsEmpty) {
  ::setenv("TRIKAL_CONFIG", "/nowhere/at/all", 1);
  EXPECT_EQ(read().find("MEMORY", "MODMEM"), nullptr);
}

TEST_F(SettingsTest, SystemFilesAreNotWatchedUnlessAskedFor) {
  EXPECT_FALSE(config().watches("/etc/passwd"));
  EXPECT_TRUE(config().watches("/etcetera/x")) << "a prefix ends with its slash";
  EXPECT_TRUE(config().watches("/home/x"));
  EXPECT_TRUE(config().watches("/var/opt/cray/dws/mounts/x"));
  ::setenv("TRIKAL_INCLUDE", "/etc/app,,/proc/self", 1);
  EXPECT_TRUE(config().watches("/etc/app.conf"));
  EXPECT_FALSE(config().watches("/etc/passwd")) << "the empty item is no prefix of everything";
  ::setenv("TRIKAL_EXCLUDE", "/home/x,/scratch", 1);
  EXPECT_FALSE(config().watches("/home/xy"));
  EXPECT_TRUE(config().watches("/etc/passwd")) << "one's own list replaces ours";
  ::setenv("TRIKAL_EXCLUDE", "none", 1);
  EXPECT_TRUE(config().watches("/home/x") && config().watches("none"));
}

TEST_F(SettingsTest, NamesByExpressions) {
  file("NAME_EXCLUDE \\.tmp$,^/scratch POSIX\nNAME_INCLUDE keep\n");
  EXPECT_FALSE(config().watches("/home/a.tmp"));
  EXPECT_FALSE(config().watches("/scratch/a"));
  EXPECT_TRUE(config().watches("/scratch/keep/a"));
  EXPECT_TRUE(config().watches("/home/a.tmp.gz"));
}

TEST_F(SettingsTest, NumbersAreTakenOrLeft) {
  const std::size_t usual = config().memory;
  for (const char* text : {"", "x", "-1", "0", " 5"}) {
    ::setenv("TRIKAL_MEMORY", text, 1);
    EXPECT_EQ(config().memory, usual) << text;
  }
  ::setenv("TRIKAL_MEMORY", "5MiB", 1);
  EXPECT_EQ(config().memory, 5U << 20);
  file("JOBID MY_JOB\n");
  ::setenv("MY_JOB", "4711", 1);
  EXPECT_EQ(config().job_id, 4711);
}

TEST_F(SettingsTest, RanksOfALaunchersChoice) {
  file("RANK_EXCLUDE 1,4:6,8:\nRANK_INCLUDE 5\n");
  const auto off = [&](const char* rank) {
    ::setenv("RANK", rank, 1);
    return config().disabled;
  };
  EXPECT_FALSE(off("0") || off("3") || off("7"));
  EXPECT_TRUE(off("1") && off("4") && off("6") && off("8") && off("900"));
  EXPECT_FALSE(off("5"));
  ::unsetenv("RANK");
  EXPECT_FALSE(config().disabled) << "without a rank none is left out";
}

TEST_F(SettingsTest, Modules) {
  constexpr ModuleId kPosix = 1, kStdio = 9;
  ::setenv("TRIKAL_MODULES", "stdio,nothing", 1);
  EXPECT_TRUE(config().is_off(kPosix));
  EXPECT_FALSE(config().is_off(kStdio));
  file("MOD_DISABLE *\nMOD_ENABLE POSIX\n");
  ::unsetenv("TRIKAL_MODULES");
  EXPECT_FALSE(config().is_off(kPosix));
  EXPECT_TRUE(config().is_off(kStdio));
}

TEST_F(SettingsTest, NothingPointsIntoTheEnvironment) {
  ::setenv("TRIKAL_EXCLUDE", "/data/", 1);
  const Config& taken = config();
  std::memset(::getenv("TRIKAL_EXCLUDE"), 'x', std::strlen("/data/"));
  EXPECT_EQ(taken.exclude, "/data/");
}

TEST_F(SettingsTest, PathsAreMeantFromWhereTheProgramBegan) {
  ::setenv("TRIKAL_LOGPATH", "logs", 1);
  const std::string here = std::filesystem::current_path().string();
  EXPECT_EQ(std::string(config().log_path), here + "/logs");
  ::setenv("TRIKAL_LOGPATH", "/logs", 1);
  EXPECT_STREQ(config().log_path, "/logs");
  ::unsetenv("TRIKAL_LOGPATH");
}

TEST(NamesLibrary, AmongOthers) {
  std::string_view library;
  EXPECT_TRUE(names_library("/a/libz.so /opt/t/libtrikal.so:x", &library));
  EXPECT_EQ(library, "/opt/t/libtrikal.so");
  EXPECT_TRUE(names_library("libtrikal.so"));
  EXPECT_FALSE(names_library(""));
  EXPECT_FALSE(names_library("/opt/libtrikal/other.so: :"));
}

}  // namespace
}  // namespace trikal::capture
