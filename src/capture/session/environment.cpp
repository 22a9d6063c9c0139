#include "capture/session/environment.hpp"

#include <unistd.h>

#include <cstring>

namespace trikal::capture {

const char* variable(std::string_view name) noexcept {
  if (environ == nullptr) return nullptr;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    if (**entry == name.front() && std::strncmp(*entry, name.data(), name.size()) == 0 && (*entry)[name.size()] == '=')
      return *entry + name.size() + 1;
  }
  return nullptr;
}

}  // namespace trikal::capture
