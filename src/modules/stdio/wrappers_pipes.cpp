// Streams without a name: pipes to programs, and temporary files.

#include <stdio.h>

#include "capture/session/unseen.hpp"
#include "modules/stdio/wrappers.hpp"

namespace {

using namespace trikal::capture;         // NOLINT: a file of wrappers
using namespace trikal::modules::stdio;  // NOLINT

// All that are alike share one record.
void note_nameless(Span when, FILE* stream, const char* name) noexcept {
  if (stream == nullptr || !session.config.watches(name)) return;
  File* file = session.files.find_or_add(name);
  StdioFile* record = record_of(file);
  if (record == nullptr) return;
  streams.set(stream, record, file);
  opened(*record, when, false);
}

template <trikal::FixedString Name>
TRIKAL_INTO_WRAPPER FILE* make_temporary() noexcept {
  return Interposed<Name, FILE*()>::call(
      [](Span when, FILE* stream) noexcept { note_nameless(when, stream, P_tmpdir "/<tmpfile>"); });
}

}  // namespace

TRIKAL_WRAPPER FILE* popen(const char* command, const char* mode) {
  note_if_shell_is_unseen();
  return Interposed<"popen", FILE*(const char*, const char*)>::call(
      [](Span when, FILE* stream, const char*, const char*) noexcept { note_nameless(when, stream, "<POPEN>"); },
      command, mode);
}
TRIKAL_WRAPPER int pclose(FILE* stream) { return close_stream<Interposed<"pclose", int(FILE*)>, Under::kPipe>(stream); }
TRIKAL_WRAPPER FILE* tmpfile() { return make_temporary<"tmpfile">(); }
TRIKAL_WRAPPER FILE* tmpfile64() { return make_temporary<"tmpfile64">(); }
