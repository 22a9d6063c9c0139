#include "analyze/dataset/slot_history.hpp"

#include <gtest/gtest.h>

#include "modules/list.hpp"

namespace trikal::analyze {
namespace {

std::uint32_t since(std::string_view module, std::string_view counter) {
  const ModuleFormat* format = find_module(module);
  const std::size_t slot = find_slot(format->schema->counters, counter);
  EXPECT_NE(slot, kNoSlot) << counter;
  return first_version_with(*format, slot);
}

// As the specification's version tables have it.
TEST(SlotHistory, CountersKnowWhenTheyCameIn) {
  EXPECT_EQ(since("POSIX", "POSIX_OPENS"), 1U);
  EXPECT_EQ(since("POSIX", "POSIX_FILENOS"), 4U);
  EXPECT_EQ(since("POSIX", "POSIX_RENAMED_FROM"), 4U);
  EXPECT_EQ(since("POSIX", "POSIX_F_CLOSE_START_TIMESTAMP"), 3U);
  EXPECT_EQ(since("POSIX", "POSIX_F_READ_TIME"), 1U);
  EXPECT_EQ(since("MPI-IO", "MPIIO_F_OPEN_END_TIMESTAMP"), 3U);
  EXPECT_EQ(since("STDIO", "STDIO_FDOPENS"), 2U);
  EXPECT_EQ(since("H5F", "H5F_USE_MPIIO"), 3U);
  EXPECT_EQ(since("PNETCDF_FILE", "PNETCDF_FILE_OPENS"), 1U) << "two old counters made one";
  EXPECT_EQ(since("PNETCDF_FILE", "PNETCDF_FILE_CREATES"), 3U);
  EXPECT_EQ(since("DAOS", "DAOS_BYTES_READ"), 1U);
}

TEST(SlotHistory, NewestVersionsAndShapesWithoutWordsAreNotAsked) {
  EXPECT_TRUE(known_words(*find_module("POSIX"), 4).empty());
  EXPECT_TRUE(known_words(*find_module("POSIX"), 99).empty());
  EXPECT_TRUE(known_words(*find_module("LUSTRE"), 1).empty());
  EXPECT_EQ(known_words(*find_module("POSIX"), 1).size(), find_module("POSIX")->schema->head_bytes / 8);
}

}  // namespace
}  // namespace trikal::analyze
