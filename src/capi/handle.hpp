#pragma once
// What stands behind the C library's handles, and how nothing but values crosses its border.

#include <cstring>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "log/read/columns.hpp"
#include "log/read/reader.hpp"
#include "trikal/trikal.h"

namespace trikal::capi {

// A log with everything whose text a caller may hold on to. Iterators and streams share it, so that closing the
// log before them is no mistake.
struct OpenLog {
  std::unique_ptr<log::Reader> reader;
  std::vector<std::pair<std::string, std::string>> metadata;
  std::vector<log::TableInfo> tables;
  std::vector<ModuleId> modules;
  std::string version;
  std::mutex mutex;  // reading of names, opening, damage
  const log::NameTable* names = nullptr;
  std::vector<log::Damage> damage;
};

void tell(trikal_error* error, const Error& why) noexcept;
void tell(trikal_error* error, trikal_code code, const char* what) noexcept;
[[nodiscard]] trikal_code code_of(ErrorCode code) noexcept;

// Runs `work`; whatever it throws becomes `failure` and a word about it.
template <class T, class Work>
T guarded(trikal_error* error, T failure, Work work) noexcept {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    tell(error, TRIKAL_MEMORY, "out of memory");
  } catch (const std::exception&) {
    tell(error, TRIKAL_SYSTEM, "an unexpected failure inside the library");
  } catch (...) {
    tell(error, TRIKAL_SYSTEM, "an unexpected failure inside the library");
  }
  return failure;
}

// Fills a structure that the caller may know a shorter or longer form of.
template <class T>
int hand_out(const T& value, T* to, std::size_t size) noexcept {
  if (to == nullptr) return -1;
  std::memcpy(to, &value, size < sizeof value ? size : sizeof value);
  return 0;
}

// The names, read at the first call. The caller holds the mutex.
[[nodiscard]] Status load_names(OpenLog& log);

// Whether a record is one the module's values describe.
[[nodiscard]] bool is_described(const ModuleFormat& format, Bytes record);

}  // namespace trikal::capi

struct trikal_log {
  std::shared_ptr<trikal::capi::OpenLog> open;
};
