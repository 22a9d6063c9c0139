#include "capture/loader/page_protection.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

namespace trikal::capture {
namespace {

TEST(PageProtection, IsWhatTheKernelSays) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  auto* memory =
      static_cast<char*>(mmap(nullptr, 3 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(memory, MAP_FAILED);
  const auto at = [memory](std::size_t offset) {
    return protection_of(reinterpret_cast<std::uintptr_t>(memory) + offset);
  };
  ASSERT_EQ(mprotect(memory + page, page, PROT_READ), 0);
  ASSERT_EQ(mprotect(memory + 2 * page, page, PROT_NONE), 0);
  EXPECT_EQ(at(0), PROT_READ | PROT_WRITE);
  EXPECT_EQ(at(page - 1), PROT_READ | PROT_WRITE);
  EXPECT_EQ(at(page), PROT_READ);
  EXPECT_EQ(at(2 * page + 7), PROT_NONE);
  munmap(memory, 3 * page);
  EXPECT_EQ(at(page), kUnknownProtection);
  EXPECT_EQ(protection_of(reinterpret_cast<std::uintptr_t>(&protection_of)), PROT_READ | PROT_EXEC);
}

}  // namespace
}  // namespace trikal::capture
