// From a function that a library calls back to the program that called the library.

#include "capture/records/stack_walk.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <random>
#include <thread>
#include <vector>

#include "capture/loader/frame_rows.hpp"

namespace trikal::capture {
namespace {

struct Walked {
  LoadedObjects objects;
  StackWalk walk;
  Stack stack;
};
thread_local Walked* walked = nullptr;

// What a wrapper is: somebody's function calls it, and is what it returns to.
[[gnu::noinline]] int observed(const void* a, const void* b) {
  const auto caller = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
  walked->stack = walked->walk.walk(walked->objects, caller, true);
  return *static_cast<const int*>(a) - *static_cast<const int*>(b);
}

void sort_some() {
  std::array<int, 2> numbers{2, 1};
  std::qsort(numbers.data(), numbers.size(), sizeof numbers[0], observed);
}

bool is_here(std::uintptr_t address) {
  const auto begin = reinterpret_cast<std::uintptr_t>(&sort_some);
  return address > begin && address - begin < 4096;
}

TEST(StackWalk, LeadsThroughALibraryToTheProgram) {
  Walked mine;
  walked = &mine;
  mine.objects.look();
  sort_some();
  EXPECT_EQ(mine.stack.end, Stack::End::kProgram);
  ASSERT_GE(mine.stack.depth, 2U);
  EXPECT_TRUE(is_here(mine.stack.returns[mine.stack.depth - 1]));
  for (std::size_t i = 0; i + 1 < mine.stack.depth; ++i) EXPECT_FALSE(is_here(mine.stack.returns[i]));
  const Stack first = mine.stack;
  sort_some();
  EXPECT_EQ(mine.stack.depth, first.depth) << "rules that are known say the same";
  EXPECT_EQ(mine.stack.key, first.key);
}

TEST(StackWalk, EndsAtOnceInTheProgram) {
  Walked mine;
  walked = &mine;
  mine.objects.look();
  const int one = 1, two = 2;
  EXPECT_EQ(observed(&one, &two), -1);
  EXPECT_EQ(mine.stack.end, Stack::End::kProgram);
  EXPECT_EQ(mine.stack.depth, 1U);
}

TEST(StackWalk, AsksForObjectsThatNobodyKnows) {
  Walked mine;
  const auto nobody = reinterpret_cast<std::uintptr_t>(&sort_some);
  EXPECT_EQ(mine.walk.walk(mine.objects, nobody, false).end, Stack::End::kUnknownObject);
  EXPECT_EQ(mine.walk.walk(mine.objects, nobody, true).end, Stack::End::kNowhere);
}

TEST(StackWalk, GoesOnOtherStacksToo) {
  Walked mine;
  mine.objects.look();
  std::thread([&mine] {
    walked = &mine;
    sort_some();
  }).join();
  EXPECT_EQ(mine.stack.end, Stack::End::kProgram);
}

// Tables lie in the memory of whatever was loaded: no bytes of them lead anywhere else.
TEST(FrameRows, OfAnyBytesAreReadInsideThem) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 20000; ++round) {
    std::vector<std::byte> bytes(16 + random() % 120);
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(random() % 4 == 0 ? random() : random() % 32);
    bytes[0] = static_cast<std::byte>(bytes.size() / 2), bytes[1] = bytes[2] = bytes[3] = std::byte{0};
    const std::byte* end = bytes.data() + bytes.size();
    const TableCursor at(bytes.data() + random() % 8, bytes.data(), end);
    (void)frame_row(at, random() % 2 == 0 ? random() : reinterpret_cast<std::uintptr_t>(bytes.data()) + random() % 64);
  }
}

TEST(CodeOwner, IsToldByWhereItLies) {
  EXPECT_EQ(owner_of("", false), CodeOwner::kProgram);
  EXPECT_EQ(owner_of("", true), CodeOwner::kInterpreter);
  EXPECT_EQ(owner_of("/home/user/solver/libsolver.so", false), CodeOwner::kProgram);
  EXPECT_EQ(owner_of("/opt/spack/hdf5-1.14/lib/libhdf5.so.310", false), CodeOwner::kLibrary);
  EXPECT_EQ(owner_of("/usr/lib/x86_64-linux-gnu/libgfortran.so.5", false), CodeOwner::kLibrary);
  EXPECT_EQ(owner_of("/home/user/venv/lib/python3.11/site-packages/h5py/h5d.so", false), CodeOwner::kLibrary);
}

}  // namespace
}  // namespace trikal::capture
