// trikal convert: a log written anew, in the newest form, with another codec, with parts hidden or left out.

#include "cli/complain.hpp"
#include "cli/log_input.hpp"
#include "cli/verbs.hpp"
#include "log/copy.hpp"
#include "log/write/tool_writer.hpp"

namespace trikal::cli {
namespace {

struct ConvertOptions {
  LogInput input;
  std::string output;
  bool bzip2 = false, force = false, no_trailer = false, hide_all = false;
  int level = log::kDefaultLevel;
  std::string split;
  std::vector<std::string> annotations;
  log::CopyOptions copy;
};

bool settle(ConvertOptions& options, log::ToolWriteOptions& write) {
  log::Obfuscation& hide = options.copy.obfuscation;
  if (options.hide_all) hide.job_id = hide.uid = hide.exe = hide.names = true;
  for (const std::string& annotation : options.annotations) {
    options.copy.annotate += (options.copy.annotate.empty() ? "" : "\t") + annotation;
  }
  write.codec = options.bzip2 ? log::Codec::kBzip2 : log::Codec::kZlib;
  write.level = options.level;
  write.trailer = !options.no_trailer;
  write.replace = options.force;
  if (options.split.empty()) return true;
  if (!parse_size(options.split, write.stream_bytes) || write.stream_bytes == 0) {
    complain("--split", {.code = ErrorCode::kUsage, .what = "not a size"});
    return false;
  }
  return true;
}

int run_convert(ConvertOptions& options) {
  log::ToolWriteOptions write;
  if (!settle(options, write)) return kUsage;
  int code = kOk;
  TerminalProgress progress(!options.input.no_progress, TerminalProgress::Output::kNone);
  const auto reader = options.input.open(code, progress);
  if (!reader) return code;
  auto tool = log::ToolWriter::create(options.output, write);
  if (!tool) return complain(options.output, tool.error());
  log::CopyReport report;
  const Status done = log::copy_log(*reader, (*tool)->writer(), options.copy, report);
  for (const std::string& warning : report.warnings) warn(options.input.path, warning);
  if (!done) {
    const bool writing = !(*tool)->writer().health();
    return complain(writing ? options.output : options.input.path, done.error());
  }
  return report_damage(options.input.path, reader->damage());
}

constexpr const char *kConvertOutput = "How to write", *kContent = "What to keep and add", *kHiding = "What to hide";

void declare_output(CommandLine& app, ConvertOptions& options) {
  app.add_flag("--force", options.force, "replace OUT if it exists")->group(kConvertOutput);
  app.add_flag("--bzip2", options.bzip2, "compress with bzip2: smaller, slower to read")->group(kConvertOutput);
  app.add_option("--level", options.level, "zlib's level of compression")
      ->check(between(0, 9))
      ->type_name("0-9")
      ->capture_default_str()
      ->group(kConvertOutput);
  app.add_option("--split", options.split, "begin a new compressed stream after so much data: read in parallel")
      ->type_name("SIZE")
      ->group(kConvertOutput);
  app.add_flag("--no-trailer", options.no_trailer, "leave out what Darshan's own format cannot hold")
      ->group(kConvertOutput);
}

void declare_content(CommandLine& app, ConvertOptions& options) {
  app.add_option("--file", options.copy.record, "only this record")->type_name("ID")->group(kContent);
  app.add_option("--annotate", options.annotations, "add key=value to the metadata; tabs separate several")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false)
      ->group(kContent);
  app.add_flag("--reset-md", options.copy.reset_metadata, "drop the metadata there is")->group(kContent);
}

void declare_hiding(CommandLine& app, ConvertOptions& options) {
  log::Obfuscation& hide = options.copy.obfuscation;
  app.add_flag("--obfuscate", options.hide_all, "hide job id, user, command and names: each becomes a number")
      ->group(kHiding);
  app.add_flag("--obfuscate-jobid", hide.job_id, "hide the job id")->group(kHiding);
  app.add_flag("--obfuscate-uid", hide.uid, "hide the user id")->group(kHiding);
  app.add_flag("--obfuscate-exe", hide.exe, "hide the command line")->group(kHiding);
  app.add_flag("--obfuscate-names", hide.names, "hide the names of files; the file system they are on stays")
      ->group(kHiding);
  app.add_option("--key", hide.key, "makes the numbers differ from those of another key")
      ->type_name("N")
      ->group(kHiding);
}

void attach_convert(CommandLine& app, Action& action) {
  auto options = std::make_shared<ConvertOptions>();
  options->input.declare(app);
  app.add_option("OUT", options->output, "the new log; must not exist")->required()->type_name("");
  declare_output(app, *options);
  declare_content(app, *options);
  declare_hiding(app, *options);
  action = [options] { return run_convert(*options); };
}

constexpr Example kConvertExamples[] = {
    {"trikal convert old.darshan new.darshan", "the newest format, zlib, one stream per module"},
    {"trikal convert --bzip2 in.darshan out.darshan", "smaller"},
    {"trikal convert --obfuscate --key 7 in.darshan out.darshan", "a log to share"},
    {"trikal convert --file 15471093128405409614 in.darshan out.darshan", "one file of many"},
    {"trikal convert --annotate project=x in.darshan out.darshan", "add a line of metadata"},
};

}  // namespace

const Verb kConvert = {
    "convert",
    "rewrite a log: newest format, other codec, parts hidden",
    "Reads a log of any version and writes it in the newest one that released Darshan tools read, with one compressed "
    "stream per module. Data of modules this tool does not know is kept unchanged where possible. Record ids are "
    "not hidden by --obfuscate: they are hashes of the true names, so somebody who guesses a name can confirm it.",
    kConvertExamples,
    attach_convert,
    kWritingSection};

}  // namespace trikal::cli
