#include "cli/http_library.hpp"

#include <dlfcn.h>

#include <filesystem>

#include "gather/runtime_library.hpp"
#include "serve/http/http.hpp"

namespace trikal::cli {

void* http_function(const char* name, std::string& problem) {
  const auto beside = std::filesystem::path(gather::find_runtime()).parent_path() / serve::kHttpLibrary;
  if (!std::filesystem::exists(beside)) return problem = "trikal was built without cpp-httplib", nullptr;
  void* library = ::dlopen(beside.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return problem = ::dlerror(), nullptr;
  void* function = ::dlsym(library, name);
  if (function == nullptr) problem = "the HTTP library has another version";
  return function;
}

}  // namespace trikal::cli
