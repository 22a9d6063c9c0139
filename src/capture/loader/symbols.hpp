#pragma once
// Finds the function a call would have reached without us: the first definition behind our own library in load
// order, as RTLD_NEXT means it. Done by reading the loaded objects' own tables, not with dlsym, which allocates,
// and which lives in different libraries in different C libraries.

namespace trikal::capture {

// Null if no other loaded object defines it. Safe before any constructor ran.
[[nodiscard]] void* find_next(const char* name) noexcept;

// What a name of an optional library means in this process: the first definition in load order that is not ours.
[[nodiscard]] void* find_function(const char* name) noexcept;
[[nodiscard]] void* find_data(const char* name) noexcept;
// Whether it lies in the C library itself, not in another library that was loaded before it.
[[nodiscard]] bool is_of_libc(const void* function) noexcept;
// How many loaded objects, ours apart, define the function.
[[nodiscard]] int definitions_of(const char* name) noexcept;

}  // namespace trikal::capture
