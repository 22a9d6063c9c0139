// A writer takes no memory from the heap once it was created: inside an application the heap may be locked
// by the very thread that is ending.

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <random>

#include "log/write/writer.hpp"

namespace {

std::atomic<long> allocations{0};

}  // namespace

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TRIKAL_SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define TRIKAL_SANITIZED
#endif
#endif

#ifdef TRIKAL_SANITIZED
// The sanitizers bring their own malloc, and hooks to it.
#include <sanitizer/allocator_interface.h>
namespace {
void on_malloc(const volatile void* /*memory*/, std::size_t /*size*/) { ++allocations; }
void on_free(const volatile void* /*memory*/) {}
const int hooked = __sanitizer_install_malloc_and_free_hooks(on_malloc, on_free);
}  // namespace
#else
// Seen from libraries as well, although the build hides what is not marked.
#pragma GCC visibility push(default)
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* memory, std::size_t size);

void* malloc(std::size_t size) {
  ++allocations;
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
  ++allocations;
  return __libc_calloc(count, size);
}
void* realloc(void* memory, std::size_t size) {
  ++allocations;
  return __libc_realloc(memory, size);
}
}
#pragma GCC visibility pop
#endif

namespace trikal::log {
namespace {

int sink_open(const char* /*path*/, int /*flags*/, unsigned /*mode*/) { return 9; }
ssize_t sink_pwrite(int /*descriptor*/, const void* /*data*/, std::size_t size, off_t /*offset*/) {
  return static_cast<ssize_t>(size);
}
int sink_close(int /*descriptor*/) { return 0; }
int sink_rename(const char* /*from*/, const char* /*to*/) { return 0; }
int sink_unlink(const char* /*path*/) { return 0; }
constexpr FileCalls kSinkCalls = {sink_open, sink_pwrite, sink_close, sink_rename, sink_rename, sink_unlink};

constexpr Column kColumns[] = {{"name", ColumnType::kText, "", "a text"}, {"value", ColumnType::kF64, "s", "a number"}};
constexpr SectionSchema kSection = {"test", "a section of the test's own", kColumns};

// Everything a runtime does, with enough bytes that every buffer fills more than once.
bool write_all(Writer& writer) {
  bool ok = static_cast<bool>(writer.put_job({.uid = 1}, {"a=b\n", "exe", {}}));
  ok = ok && writer.begin_names();
  std::mt19937_64 random(5);
  std::array<std::uint64_t, 512> noise{};
  for (int i = 0; ok && i < 2000; ++i) ok = static_cast<bool>(writer.put_name(random(), "/a/file/of/this/test"));
  ok = ok && writer.end_region();
  for (ModuleId module = 1; ok && module < 10; ++module) {
    ok = static_cast<bool>(writer.begin_module(module, 1));
    for (int i = 0; ok && i < 50; ++i) {
      for (auto& word : noise) word = random();
      ok = writer.append(std::as_bytes(std::span{noise})) && (i % 10 != 0 || writer.end_stream());
    }
    ok = ok && writer.end_region();
  }
  TrailerWriter* trailer = writer.trailer();
  ok = ok && trailer != nullptr && trailer->begin_section(kSection);
  for (int i = 0; ok && i < 1000; ++i) ok = trailer->put_text("text") && trailer->put_f64(0.5 * i);
  return ok && trailer->end_section() && writer.finish(0);
}

TEST(WriterMemory, NothingIsAllocatedAfterCreation) {
  auto memory = std::make_unique<FixedWriterMemory<16384, 256>>();
  Writer writer(memory->spans());
  ASSERT_TRUE(writer.create({.path = "x", .temporary = "y"}, {.calls = &kSinkCalls}));
  const long before = allocations;
  const bool ok = write_all(writer);
  const long after = allocations;
  EXPECT_TRUE(ok);
  EXPECT_EQ(after - before, 0);
}

TEST(WriterMemory, TheCounterCounts) {
  const long before = allocations;
  void* memory = ::operator new(100);  // a call: a new expression may be left out
  EXPECT_GT(allocations, before);
  ::operator delete(memory);
}

}  // namespace
}  // namespace trikal::log
