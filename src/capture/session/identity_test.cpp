#include "capture/session/identity.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>

namespace trikal::capture {
namespace {

using log::crash::Identity;

Identity some(std::int64_t pid) {
  Identity identity;
  identity.boot[0] = 11, identity.boot[1] = ~std::uint64_t{0};
  identity.pid_namespace = 4026531836, identity.pid = pid, identity.start_ticks = 123456, identity.generation = 2;
  return identity;
}

std::string text_of(const Identity& identity) {
  char text[kIdentityText];
  return {text, write_identity(identity, text)};
}

TEST(Identity, ReadsWhatItWrote) {
  const std::string text = text_of(some(77));
  Identity read;
  ASSERT_TRUE(parse_identity(text.c_str(), read)) << text;
  EXPECT_EQ(read.boot[0], 11U);
  EXPECT_EQ(read.boot[1], ~std::uint64_t{0});
  EXPECT_EQ(read.pid, 77);
  EXPECT_EQ(read.start_ticks, 123456U);
  EXPECT_EQ(read.generation, 2U);
  EXPECT_EQ(read.pid_namespace, 4026531836U);
}

TEST(Identity, RefusesWhatIsNoneOrOfAnotherNode) {
  Identity read;
  std::string text = text_of(some(77));
  text.back() = text.back() == '0' ? '1' : '0';  // the hash of the node's name
  for (const char* bad : {static_cast<const char*>(nullptr), "", "1-2-3", "a-b-c-d-e-f-g", text.c_str()})
    EXPECT_FALSE(parse_identity(bad, read));
  EXPECT_FALSE(parse_identity((text_of(some(77)) + "-1").c_str(), read));
}

TEST(Identity, AProgramOfTheSameProcessIsTheNextGeneration) {
  const Identity told = some(::getpid());
  const Identity known = known_identity(&told, Relation::kTold);
  EXPECT_EQ(known.start_ticks, told.start_ticks);
  EXPECT_EQ(known.generation, 3U);
}

TEST(Identity, AChildHasItsParentsMachineAndAStartOfItsOwn) {
  const Identity told = some(::getppid());
  for (const Relation relation : {Relation::kParent, Relation::kTold}) {
    const Identity known = known_identity(&told, relation);
    EXPECT_EQ(known.boot[0], 11U);
    EXPECT_EQ(known.start_ticks, 0U);
    EXPECT_EQ(known.generation, 0U);
  }
}

TEST(Identity, AForkedChildKnowsItsStartWithoutAsking) {
  int known = 0;
  for (int i = 0; i < 100; ++i) {
    note_fork();
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      const std::uint64_t ticks = start_ticks_since_fork();
      Identity asked;
      complete_identity(asked);
      ::_exit(ticks == 0 ? 0 : ticks == asked.start_ticks ? 1 : 2);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) < 2) << status;
    known += WEXITSTATUS(status);
  }
  EXPECT_GT(known, 0) << "none of them was made within one tick";
}

TEST(Identity, OfAnybodyElseNothingIsTaken) {
  const Identity told = some(::getpid() + 1);
  EXPECT_EQ(known_identity(&told, Relation::kTold).boot[0], 0U);
  const Identity own = some(::getpid());  // a process that forks is never the one that it forks
  EXPECT_EQ(known_identity(&own, Relation::kParent).boot[0], 0U);
  Identity complete = known_identity(nullptr, Relation::kTold);
  complete_identity(complete);
  EXPECT_NE(complete.start_ticks, 0U);
  EXPECT_NE(complete.pid_namespace, 0U);
}

}  // namespace
}  // namespace trikal::capture
