#include "compat/losses.hpp"

#include <gtest/gtest.h>

#include "modules/posix/schema.hpp"
#include "modules/stdio/schema.hpp"
#include "schema/record.hpp"

namespace trikal::compat {
namespace {

using Posix = Record<modules::posix::kSchema>;

Posix filled() {
  Posix record;
  for (auto& word : record.words) word = 7;
  return record;
}

TEST(Losses, VariancesOfVersionThree) {
  for (const std::uint32_t version : {1U, 2U, 3U, 4U}) {
    Posix record = filled();
    lose_values(modules::posix::kSchema.id, version, reinterpret_cast<std::byte*>(record.words.data()));
    Posix wanted = filled();
    if (version == 3) {
      wanted.set_real<"POSIX_F_VARIANCE_RANK_TIME">(0.0);
      wanted.set_real<"POSIX_F_VARIANCE_RANK_BYTES">(0.0);
    }
    EXPECT_EQ(record.words, wanted.words) << version;
  }
}

TEST(Losses, NothingOfOtherModules) {
  Posix record = filled();
  lose_values(modules::stdio::kSchema.id, 3, reinterpret_cast<std::byte*>(record.words.data()));
  EXPECT_EQ(record.words, filled().words);
}

TEST(Losses, TheCommandOfALogWithoutMounts) {
  log::Job job;
  job.exe = "./app";
  EXPECT_EQ(command_line(job), "");
  job.mounts = {{.path = "/", .type = "ext4"}};
  EXPECT_EQ(command_line(job), "./app");
}

}  // namespace
}  // namespace trikal::compat
