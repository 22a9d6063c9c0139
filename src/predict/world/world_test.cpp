#include "predict/world/world.hpp"

#include <gtest/gtest.h>

namespace trikal::predict {
namespace {

TEST(PredictWorld, DescriptorsAreTheLowestThatAreFree) {
  World world;
  const std::uint32_t file = world.file_named("/nowhere/a");
  EXPECT_FALSE(world.files[file].exists);
  EXPECT_EQ(world.open(file), 0);
  EXPECT_EQ(world.open(file), 1);
  EXPECT_TRUE(world.close(0));
  EXPECT_FALSE(world.close(0));
  EXPECT_EQ(world.open(file), 0);
  EXPECT_EQ(world.at(7), nullptr);
  EXPECT_EQ(world.at(-1), nullptr);
}

TEST(PredictWorld, DuplicatesShareTheirPosition) {
  World world;
  const int one = world.open(world.file_named("/nowhere/a"));
  const int other = world.duplicate(one);
  world.at(one)->position = 100;
  EXPECT_EQ(world.at(other)->position, 100U);
  world.close(one);
  EXPECT_EQ(world.at(other)->position, 100U);
  EXPECT_EQ(world.duplicate(55), -1);
}

TEST(PredictWorld, StreamsAreFoundByAddressWhileTheyAreOpen) {
  World world;
  const Word stream = world.make_stream(world.open(world.file_named("/nowhere/a")));
  ASSERT_NE(world.stream(stream), nullptr);
  EXPECT_EQ(world.stream(stream + 8), nullptr);
  EXPECT_TRUE(world.close_stream(stream));
  EXPECT_EQ(world.stream(stream), nullptr);
  EXPECT_FALSE(world.close_stream(stream));
}

TEST(PredictWorld, FreedMemoryIsTakenAgain) {
  World world;
  const Word one = world.take(100);
  EXPECT_EQ(world.size_at(one), 100U);
  world.give_back(one);
  EXPECT_FALSE(world.size_at(one).has_value());
  EXPECT_EQ(world.take(100), one);
  EXPECT_NE(world.take(100), one);
}

TEST(PredictWorld, NumbersGrowByTheirSteps) {
  World world;
  const int file = world.open(world.file_named("/nowhere/a"));
  world.at(file)->position = 10;
  std::vector<Word> before, after;
  world.numbers(before);
  world.at(file)->position = 14;
  world.numbers(after);
  ASSERT_EQ(before.size(), after.size());
  for (std::size_t i = 0; i < after.size(); ++i) after[i] -= before[i];
  world.add(after, 1000);
  EXPECT_EQ(world.at(file)->position, 4014U);
}

TEST(PredictWorld, FilesKeepTheirNumbersOnEveryWay) {
  World one;
  World other = one;
  const std::uint32_t made = other.file_named("/nowhere/made");
  other.files[made].exists = true;
  other.files[made].size = 7;
  World parent = one;
  one.know(other);
  EXPECT_EQ(one.file_named("/nowhere/made"), made);
  EXPECT_FALSE(one.files[made].exists);
  parent.know(other, true);
  EXPECT_TRUE(parent.files[made].exists);
  EXPECT_EQ(parent.files[made].size, 7U);
}

TEST(PredictWorld, CopiesOfDescriptorsShareAPositionAndAreClosedOneByOne) {
  World world;
  const int one = world.open(world.file_named("/nowhere/one")), two = world.open(world.file_named("/nowhere/two"));
  EXPECT_EQ(world.duplicate(one, 10), 10);
  EXPECT_EQ(world.duplicate(one, 10), 11);
  world.at(one)->position = 5;
  EXPECT_EQ(world.at(11)->position, 5U);
  EXPECT_TRUE(world.duplicate_onto(one, two));
  EXPECT_EQ(world.at(two), world.at(one));
  EXPECT_TRUE(world.duplicate_onto(one, one));
  for (const int copy : {one, 10, 11}) EXPECT_TRUE(world.close(copy));
  EXPECT_EQ(world.at(two)->users, 1);
  EXPECT_FALSE(world.duplicate_onto(one, two));
  EXPECT_EQ(world.duplicate(one), -1);
}

TEST(PredictWorld, AFileThatIsHeldStaysOpenWithoutADescriptor) {
  World world;
  const std::uint32_t file = world.file_named("/nowhere/held");
  const int descriptor = world.open(file), held = world.hold(descriptor);
  world.close(descriptor);
  const int other = world.open(world.file_named("/nowhere/other"));
  EXPECT_EQ(other, descriptor);  // the number is free, the slot is not
  EXPECT_EQ(world.held(held)->file, file);
  world.release(held);
  EXPECT_EQ(world.held(held)->users, 0);
  EXPECT_EQ(world.hold(77), -1);
  EXPECT_EQ(world.held(-1), nullptr);
}

TEST(PredictWorld, ARealFileHasItsSize) {
  World world;
  const File& file = world.files[world.file_named("/proc/self/exe")];
  EXPECT_TRUE(file.exists);
  EXPECT_GT(file.size, 1000U);
}

}  // namespace
}  // namespace trikal::predict
