// A traced file as text on standard output.

#include <cstdio>

#include "compat/handle.hpp"
#include "compat/record_memory.hpp"
#include "compat/records.hpp"
#include "modules/lustre/schema.hpp"
#include "report/text/trace_lines.hpp"

namespace {

using namespace trikal;  // NOLINT(google-build-using-namespace): the functions below are C's

void print(const report::Trace& trace, const void* record, const char* name, const char* mount, const char* type,
           const darshan_lustre_record* lustre) {
  constexpr std::size_t kHead = modules::dxt::kHeadBytes;
  const ModuleId module = trace.schema->id;
  const std::vector<std::byte> bytes = compat::from_memory(module, record, compat::segment_bytes_for(module));
  std::vector<std::byte> layout;
  if (lustre != nullptr) layout = compat::from_memory(modules::lustre::kSchema.id, lustre, 0);
  const auto text = [](const char* given) { return given != nullptr ? given : "(null)"; };
  report::StringSink out;
  report::TraceLines lines(out, trace, report::TraceLines::Thread::kLeftOut);
  lines.begin(Bytes{bytes}.first(kHead), {text(name), text(mount), text(type)}, layout, 1);
  lines.write(Bytes{bytes}.subspan(kHead), 0);
  std::fwrite(out.text().data(), 1, out.text().size(), stdout);
}

}  // namespace

extern "C" {

void dxt_log_print_posix_file(void* file_rec, char* file_name, char* mnt_pt, char* fs_type,
                              struct lustre_record_ref* rec_ref) {
  compat::shielded(__func__, 0, [&] {
    print(report::kPosixTrace, file_rec, file_name, mnt_pt, fs_type, rec_ref != nullptr ? rec_ref->rec : nullptr);
    return 0;
  });
}

void dxt_log_print_mpiio_file(void* file_rec, char* file_name, char* mnt_pt, char* fs_type) {
  compat::shielded(__func__, 0, [&] {
    print(report::kMpiioTrace, file_rec, file_name, mnt_pt, fs_type, nullptr);
    return 0;
  });
}

}  // extern "C"
