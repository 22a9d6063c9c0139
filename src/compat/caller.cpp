#include "compat/caller.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <string_view>

#include "modules/dxt/segments.hpp"

namespace trikal::compat {
namespace {

using modules::dxt::kSegmentBytes;
using modules::dxt::kThreadlessBytes;

// The few calls of Python's stable interface that are needed, found in the process if Python runs it.
class Python {
 public:
  using Object = void*;

  Python() { found_ = find_all(); }
  [[nodiscard]] explicit operator bool() const { return found_ && is_initialized_() != 0; }

  // sys.modules["darshan.backend.cffi_backend"].ffi.sizeof("struct segment_info"), or 0.
  std::size_t pydarshan_segment() const {
    const int gil = ensure_();
    std::size_t bytes = 0;
    Object modules = module_dict_();  // borrowed
    Object backend = modules != nullptr ? get_item_(modules, "darshan.backend.cffi_backend") : nullptr;
    Object ffi = backend != nullptr ? get_attribute_(backend, "ffi") : nullptr;
    Object size = ffi != nullptr ? call_method_(ffi, "sizeof", "s", "struct segment_info") : nullptr;
    if (size != nullptr) bytes = as_size_(size);
    clear_error_();
    for (Object object : {size, ffi, backend}) release_(object);
    leave_(gil);
    return bytes;
  }

 private:
  template <class F>
  static bool find(F*& function, const char* name) {
    function = reinterpret_cast<F*>(::dlsym(RTLD_DEFAULT, name));
    return function != nullptr;
  }

  bool find_all() {
    return find(is_initialized_, "Py_IsInitialized") && find(ensure_, "PyGILState_Ensure") &&
           find(leave_, "PyGILState_Release") && find(module_dict_, "PyImport_GetModuleDict") &&
           find(get_item_, "PyMapping_GetItemString") && find(get_attribute_, "PyObject_GetAttrString") &&
           find(call_method_, "PyObject_CallMethod") && find(as_size_, "PyLong_AsSize_t") &&
           find(clear_error_, "PyErr_Clear") && find(release_, "Py_DecRef");
  }

  bool found_ = false;
  int (*is_initialized_)() = nullptr;
  int (*ensure_)() = nullptr;
  void (*leave_)(int) = nullptr;
  Object (*module_dict_)() = nullptr;
  Object (*get_item_)(Object, const char*) = nullptr;
  Object (*get_attribute_)(Object, const char*) = nullptr;
  Object (*call_method_)(Object, const char*, const char*, ...) = nullptr;
  std::size_t (*as_size_)(Object) = nullptr;
  void (*clear_error_)() = nullptr;
  void (*release_)(Object) = nullptr;
};

bool known(std::size_t bytes) { return bytes == kSegmentBytes || bytes == kThreadlessBytes; }

}  // namespace

std::size_t caller_segment_bytes() {
  if (const char* setting = std::getenv("TRIKAL_DXT_SEGMENT_BYTES"); setting != nullptr) {
    if (std::string_view(setting) == "32") return kThreadlessBytes;
    if (std::string_view(setting) == "40") return kSegmentBytes;
  }
  if (const Python python; python) {
    if (const std::size_t told = python.pydarshan_segment(); known(told)) return told;
  }
  return kSegmentBytes;
}

}  // namespace trikal::compat
