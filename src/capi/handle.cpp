#include "capi/handle.hpp"

#include <cinttypes>
#include <cstdio>

#include "schema/table.hpp"

namespace trikal::capi {

trikal_code code_of(ErrorCode code) noexcept {
  switch (code) {
    case ErrorCode::kNone: return TRIKAL_OK;
    case ErrorCode::kSystem: return TRIKAL_SYSTEM;
    case ErrorCode::kNotALog: return TRIKAL_NOT_A_LOG;
    case ErrorCode::kUnsupported: return TRIKAL_UNSUPPORTED;
    case ErrorCode::kDamaged: return TRIKAL_DAMAGED;
    case ErrorCode::kTruncated: return TRIKAL_TRUNCATED;
    case ErrorCode::kLimit: return TRIKAL_LIMIT;
    case ErrorCode::kUsage: return TRIKAL_USAGE;
    case ErrorCode::kMissing: return TRIKAL_MISSING;
  }
  return TRIKAL_DAMAGED;
}

void tell(trikal_error* error, const Error& why) noexcept {
  if (error == nullptr) return;
  *error = {.code = code_of(why.code), .system_errno = why.sys_errno, .offset = why.offset};
  char offset_text[40] = "";
  if (why.offset != Error::kNoOffset)
    std::snprintf(offset_text, sizeof offset_text, "offset %" PRIu64 ": ", why.offset);
  char cause[120] = "";
  // The GNU form returns the text and need not use the buffer it is given.
  const char* named = why.sys_errno != 0 ? ::strerror_r(why.sys_errno, cause, sizeof cause) : "";
  std::snprintf(error->text, sizeof error->text, "%s%s%s%s", offset_text, why.what, *named != '\0' ? ": " : "", named);
}

void tell(trikal_error* error, trikal_code code, const char* what) noexcept {
  if (error == nullptr) return;
  *error = {.code = code, .system_errno = 0, .offset = TRIKAL_NO_OFFSET};
  std::snprintf(error->text, sizeof error->text, "%s", what);
}

Status load_names(OpenLog& log) {
  if (log.names != nullptr) return {};
  auto names = log.reader->names();
  if (!names) return names.error();
  log.names = *names;
  return {};
}

bool is_described(const ModuleFormat& format, Bytes record) {
  return format.tables == nullptr || format.tables->described == nullptr || format.tables->described(record);
}

}  // namespace trikal::capi
