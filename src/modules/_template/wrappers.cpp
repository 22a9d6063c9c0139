// The library's functions that are watched. Each is written down by its signature; no header of the library is needed.

#include "capture/interpose/imported_call.hpp"
#include "modules/_template/capture.hpp"
#include "modules/_template/imports.hpp"

namespace trikal::modules::template_module {
namespace {

using namespace capture;  // NOLINT: a file of wrappers

// What the library calls of its own functions while a watched call is under way is part of that call.
struct TemplateCalls {
  static constexpr bool kNests = true;
  static constexpr bool kKeepsErrno = true;
  static constinit thread_local std::uint32_t depth;
  template <class R>
  static constexpr bool is_noted(R result) noexcept {
    return result >= 0;  // a call that succeeded
  }
};
constinit thread_local std::uint32_t TemplateCalls::depth = 0;

template <FixedString Name, class Signature>
using TemplateCall = ImportedCall<TemplateCalls, Name, Signature>;

template <FixedString Name>
struct OpenWrapper {
  using Call = TemplateCall<Name, Handle(const char*, int)>;
  static Handle wrapper(const char* path, int create) noexcept {
    return Call::call(
        [](Span when, Handle handle, const char* p, int) noexcept {
          File* file = file_at(p);
          keep(handle, file);
          if (TemplateFile* record = record_of(file)) opened(*record, when);
        },
        path, create);
  }
};

// The record is asked for before the call: when that is over, another thread may have closed the handle.
template <FixedString Name>
struct ReadWrapper {
  using Call = TemplateCall<Name, std::int64_t(Handle, void*, std::size_t)>;
  static std::int64_t wrapper(Handle handle, void* data, std::size_t bytes) noexcept {
    return Call::call_asking(
        [](Handle h, void*, std::size_t) noexcept { return record_of(file_of(h)); },
        [](TemplateFile* record, Span when, std::int64_t moved, Handle, void*, std::size_t) noexcept {
          if (record != nullptr) has_read(*record, when, moved);
        },
        handle, data, bytes);
  }
};

template <FixedString Name>
struct WriteWrapper {
  using Call = TemplateCall<Name, std::int64_t(Handle, const void*, std::size_t)>;
  static std::int64_t wrapper(Handle handle, const void* data, std::size_t bytes) noexcept {
    return Call::call_asking(
        [](Handle h, const void*, std::size_t) noexcept { return record_of(file_of(h)); },
        [](TemplateFile* record, Span when, std::int64_t moved, Handle, const void*, std::size_t) noexcept {
          if (record != nullptr) has_written(*record, when, moved);
        },
        handle, data, bytes);
  }
};

template <FixedString Name>
struct CloseWrapper {
  using Call = TemplateCall<Name, int(Handle)>;
  static int wrapper(Handle handle) noexcept {
    return Call::call(
        [](Span when, int, Handle h) noexcept {
          if (TemplateFile* record = record_of(take(h))) closed(*record, when);
        },
        handle);
  }
};

// clang-format off: one in a line
constexpr ImportGroup kWrappers = tell_imports<
    import_of<OpenWrapper, "template_open">,
    import_of<ReadWrapper, "template_read">,
    import_of<WriteWrapper, "template_write">,
    import_of<CloseWrapper, "template_close">>;
// clang-format on

}  // namespace

void wrappers(const ImportUse& use) noexcept { kWrappers(use); }

bool is_understood() noexcept { return true; }

}  // namespace trikal::modules::template_module
