// darshan-convert.

#include "compat/tools/log_tool.hpp"
#include "compat/tools/output_log.hpp"
#include "compat/tools/personality.hpp"
#include "log/copy.hpp"

namespace trikal::compat {
namespace {

constexpr std::string_view kName = "darshan-convert";

struct Options {
  std::string in, out;
  bool bzip2 = false;
  log::CopyOptions copy;
};

int convert(const Options& options) {
  auto source = log::open_file(options.in);
  if (!source) return complain(kName, options.in, source.error());
  auto reader = log::Reader::open(std::move(*source));
  if (!reader) return complain(kName, options.in, reader.error());
  auto tool = create_log(options.out, options.bzip2 ? log::Codec::kBzip2 : log::Codec::kZlib);
  if (!tool) return complain(kName, options.out, tool.error());
  log::CopyReport report;
  const Status done = log::copy_log(**reader, (*tool)->writer(), options.copy, report);
  for (const std::string& warning : report.warnings) warn(kName, options.in, warning);
  if (!done) {
    const bool writing = !(*tool)->writer().health();
    return complain(kName, writing ? options.out : options.in, done.error());
  }
  tell_damage(kName, options.in, (*reader)->damage());
  return 0;
}

// Values as text, before anything was made of them.
struct Given {
  std::string key, annotate, file;
};

// False: `what` says which value makes no sense.
bool settle(const Given& given, Options& options, std::string_view& what) {
  std::int64_t key = 0;
  std::uint64_t record = 0;
  if (!given.key.empty() && !parse_number(given.key, key)) return what = "--key takes a number", false;
  if (!given.file.empty() && !parse_number(given.file, record)) return what = "--file takes a record id", false;
  options.copy.obfuscation.key = static_cast<std::uint32_t>(key);
  if (record != 0) options.copy.record = record;  // 0 has always meant all
  options.copy.record_may_be_missing = true;
  options.copy.annotate = given.annotate;
  return true;
}

}  // namespace

int run_convert(int argc, char** argv) {
  Options options;
  Given given;
  bool hide_all = false;
  log::Obfuscation& hide = options.copy.obfuscation;
  const Flag flags[] = {
      {"bzip2", &options.bzip2, "compress with bzip2 instead of zlib"},
      {"obfuscate", &hide_all, "hide job id, user, command and names: each becomes a number"},
      {"obfuscate_jobid", &hide.job_id, "hide the job id"},
      {"obfuscate_uid", &hide.uid, "hide the user id"},
      {"obfuscate_exe", &hide.exe, "hide the command line"},
      {"obfuscate_names", &hide.names, "hide the names of files"},
      {"reset-md", &options.copy.reset_metadata, "drop the metadata there is"},
  };
  const Setting settings[] = {
      {"key", "N", &given.key, "makes the numbers differ from those of another key"},
      {"annotate", "TEXT", &given.annotate, "metadata to add: key=value, tabs between several"},
      {"file", "ID", &given.file, "only this record"},
  };
  const CommandLine line{.name = kName,
                         .operands = "IN OUT",
                         .summary = "Writes a log anew, in the newest format.",
                         .flags = flags,
                         .settings = settings,
                         .fewest = 2,
                         .most = 2,
                         .misused = kMisused};
  std::vector<std::string> operands;
  int exit_code = 0;
  if (!read_command_line(line, argc, argv, operands, exit_code)) return exit_code;
  std::string_view what;
  if (!settle(given, options, what)) return misuse(line, what);
  if (hide_all) hide.job_id = hide.uid = hide.exe = hide.names = true;
  options.in = operands[0];
  options.out = operands[1];
  return convert(options);
}

}  // namespace trikal::compat
