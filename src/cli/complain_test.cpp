#include "cli/complain.hpp"

#include <gtest/gtest.h>

#include <cerrno>

#include "cli/verb.hpp"

namespace trikal::cli {
namespace {

TEST(Complain, OneLineWithFileAndOffset) {
  const Error damaged{.code = ErrorCode::kDamaged, .offset = 1328, .what = "the stream is broken"};
  EXPECT_EQ(sentence("a.darshan", damaged), "trikal: a.darshan: offset 1328: the stream is broken");
}

TEST(Complain, WithoutAnOffsetAndWithTheSystemsReason) {
  const Error missing{.code = ErrorCode::kSystem, .sys_errno = ENOENT, .what = "cannot open"};
  EXPECT_EQ(sentence("a.darshan", missing), "trikal: a.darshan: cannot open: No such file or directory");
}

TEST(Complain, ALimitSaysHowToRaiseIt) {
  const Error limit{.code = ErrorCode::kLimit, .offset = 0, .what = "too much"};
  EXPECT_EQ(sentence("x", limit), "trikal: x: offset 0: too much (raise it with --limit)");
}

TEST(Complain, ExitCodes) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(complain("x", {.code = ErrorCode::kSystem}), kSystem);
  EXPECT_EQ(complain("x", {.code = ErrorCode::kUsage}), kUsage);
  EXPECT_EQ(complain("x", {.code = ErrorCode::kMissing}), kUsage);
  EXPECT_EQ(complain("x", {.code = ErrorCode::kLimit}), kLimit);
  for (const ErrorCode code :
       {ErrorCode::kNotALog, ErrorCode::kUnsupported, ErrorCode::kDamaged, ErrorCode::kTruncated}) {
    EXPECT_EQ(complain("x", {.code = code}), kDamaged);
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr().substr(0, 11), "trikal: x: ");
}

TEST(Complain, OnlyLossesChangeTheExitCode) {
  const Error error{.code = ErrorCode::kTruncated, .offset = 7, .what = "it ends early"};
  testing::internal::CaptureStderr();
  EXPECT_EQ(report_damage("x", {}), kOk);
  EXPECT_EQ(report_damage("x", {{.severity = log::Damage::Severity::kNote, .where = "job", .error = error}}), kOk);
  EXPECT_EQ(report_damage("x", {{.where = "POSIX", .error = error, .salvaged = 3}}), kDamaged);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "trikal: x: job: offset 7: it ends early\n"
            "trikal: x: POSIX: offset 7: it ends early (3 records before it)\n");
}

}  // namespace
}  // namespace trikal::cli
