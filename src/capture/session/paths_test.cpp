#include "capture/session/paths.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>

namespace trikal::capture {
namespace {

std::string made(std::string_view base, std::string_view path) {
  static CleanPath cleaner;
  return std::string(cleaner.make(base, path));
}

TEST(CleanPath, TakesOutWhatMeansNothing) {
  EXPECT_EQ(made("", "/a/b"), "/a/b");
  EXPECT_EQ(made("", "//a///b"), "/a/b");
  EXPECT_EQ(made("", "/./a/././b"), "/a/b");
  EXPECT_EQ(made("/home", "a"), "/home/a");
  EXPECT_EQ(made("/home", "./a"), "/home/a");
  EXPECT_EQ(made("/", "a"), "/a");
  EXPECT_EQ(made("/home", "/a"), "/a") << "an absolute path needs no base";
}

TEST(CleanPath, LeavesAloneWhatMayMeanSomething) {
  EXPECT_EQ(made("", "/a/../b"), "/a/../b") << "a may be a link";
  EXPECT_EQ(made("", "/a/.hidden/..x/..."), "/a/.hidden/..x/...");
  EXPECT_EQ(made("", "/a/"), "/a/");
  EXPECT_EQ(made("/home", "\xff\n\x01"), "/home/\xff\n\x01") << "names are bytes";
}

TEST(CleanPath, OfAnyLengthStaysInItsBuffer) {
  const std::string component(200, 'x');
  std::string path;
  for (int i = 0; i < 100; ++i) path += "/" + component;
  EXPECT_EQ(made("", path), path.substr(0, kPathBytes));
  EXPECT_EQ(made(path, "more").size(), kPathBytes);
  EXPECT_EQ(made("", std::string(30000, '/')), "/");
}

TEST(WithoutDriver, TakesOffDriversOfRomioOnly) {
  EXPECT_STREQ(without_driver("ufs:/data/file"), "/data/file");
  EXPECT_STREQ(without_driver("nfs:relative"), "relative");
  EXPECT_STREQ(without_driver("LUSTRE:x:y"), "x:y");
  EXPECT_STREQ(without_driver("run:1.dat"), "run:1.dat");
  EXPECT_STREQ(without_driver("/data/ufs:1.dat"), "/data/ufs:1.dat");
  EXPECT_STREQ(without_driver("uf"), "uf");
  EXPECT_STREQ(without_driver("c:/data"), "c:/data");
  EXPECT_STREQ(without_driver(":odd"), ":odd");
  EXPECT_STREQ(without_driver("/plain"), "/plain");
}

// The quick look may take a clean path for one that is not, never the other way round.
TEST(IsClean, NeverClaimsTooMuch) {
  EXPECT_TRUE(is_clean("/a/b.c/d"));
  EXPECT_TRUE(is_clean("/"));
  EXPECT_FALSE(is_clean("a/b"));
  EXPECT_FALSE(is_clean(""));
  for (std::size_t length = 2; length < 80; ++length) {
    for (std::size_t at = 0; at + 1 < length; ++at) {
      std::string path(length, 'x');
      path[0] = '/';
      EXPECT_TRUE(is_clean(path));
      path[at] = '/', path[at + 1] = '/';
      EXPECT_FALSE(is_clean(path)) << path;
      path[at + 1] = '.';
      EXPECT_FALSE(is_clean(path)) << path;
    }
  }
}

TEST(Paths, KnowTheWorkingDirectoryUntilToldToForget) {
  const std::filesystem::path before = std::filesystem::current_path();
  Paths paths;
  char text[4096];
  const auto where = [&] { return std::string(text, paths.working_directory(text, sizeof text)); };
  EXPECT_EQ(where(), before.string());
  std::filesystem::current_path("/");
  EXPECT_EQ(where(), before.string());
  paths.forget_working_directory();
  EXPECT_EQ(where(), "/");
  EXPECT_EQ(paths.working_directory(text, 0), 0U);
  std::filesystem::current_path(before);
}

TEST(Paths, ADirectoryThatIsGoneCannotBeTold) {
  const std::filesystem::path before = std::filesystem::current_path();
  std::string folder = testing::TempDir() + "trikal-gone-XXXXXX";
  ASSERT_NE(::mkdtemp(folder.data()), nullptr);
  std::filesystem::current_path(folder);
  std::filesystem::remove(folder);
  Paths paths;
  char text[4096];
  const std::size_t length = paths.working_directory(text, sizeof text);
  std::filesystem::current_path(before);
  EXPECT_EQ(std::string(text, length).find("(unreachable)"), std::string::npos);
}

}  // namespace
}  // namespace trikal::capture
