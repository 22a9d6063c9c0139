// trikal generate: man pages, the manual and shell completion from the table of verbs. For the build and the
// completions themselves, so help does not list it.

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>

#include "analyze/dataset/vocabulary.hpp"
#include "cli/complain.hpp"
#include "cli/manual/documents.hpp"
#include "cli/verbs.hpp"
#include "modules/list.hpp"
#include "report/json/page_types.hpp"
#include "report/sink.hpp"

namespace trikal::cli {
namespace {

struct Kind {
  std::string_view name;
  std::vector<Document> (*make)();
};
constexpr Kind kKinds[] = {
    {"man", man_pages},        {"markdown", markdown_manual}, {"bash", bash_completion},
    {"zsh", zsh_completion},   {"fish", fish_completion},     {"names", explained_names},
    {"modules", module_names}, {"rules", rules_table},        {"page-types", page_types},
};

std::string kind_names() {
  std::string names;
  for (const Kind& kind : kKinds) names += fmt::format("{}{}", names.empty() ? "" : "|", kind.name);
  return names;
}

struct GenerateOptions {
  std::string kind, folder;
};

Status put_file(const std::filesystem::path& path, const std::string& text) {
  std::FILE* file = std::fopen(path.c_str(), "w");
  if (file == nullptr) return Error{.code = ErrorCode::kSystem, .sys_errno = errno, .what = "cannot create"};
  const bool whole = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  if (std::fclose(file) == 0 && whole) return {};
  return Error{.code = ErrorCode::kSystem, .sys_errno = errno, .what = "cannot write"};
}

int put_files(const std::vector<Document>& files, const std::string& folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed)
    return complain(folder, {.code = ErrorCode::kSystem, .sys_errno = failed.value(), .what = "cannot create"});
  for (const Document& file : files) {
    const std::filesystem::path path = std::filesystem::path(folder) / file.file;
    const Status done = put_file(path, file.text);
    if (!done) return complain(path.string(), done.error());
  }
  return kOk;
}

int run_generate(const GenerateOptions& options) {
  const auto* kind = std::ranges::find(kKinds, options.kind, &Kind::name);
  const std::vector<Document> files = kind->make();
  if (!options.folder.empty()) return put_files(files, options.folder);
  if (files.size() > 1) return warn("generate", fmt::format("{} are several files; give -o DIR", kind->name)), kUsage;
  report::DescriptorSink out(STDOUT_FILENO);
  out.put(files.front().text);
  const Status written = out.flush();
  return written ? kOk : complain("standard output", written.error());
}

void attach_generate(CommandLine& app, Action& action) {
  auto options = std::make_shared<GenerateOptions>();
  std::vector<std::string> kinds;
  for (const Kind& kind : kKinds) kinds.emplace_back(kind.name);
  app.add_option(kind_names(), options->kind, "what to write")->required()->type_name("")->check(one_of(kinds));
  app.add_option("--output,-o", options->folder, "write files here; without it one goes to standard output")
      ->type_name("DIR")
      ->group("Output");
  action = [options] { return run_generate(*options); };
}

constexpr Example kGenerateExamples[] = {
    {"trikal generate man -o man1", "man pages in the folder man1"},
    {"trikal generate markdown -o docs/manual", "the manual of the source tree"},
    {"trikal generate rules -o docs", "the table of rules in docs/rules.md"},
    {"trikal generate page-types -o web/src", "the types of the data of the pages of a report and of a prediction"},
    {"source <(trikal generate bash)", "completion in the bash that is running"},
};

}  // namespace

std::vector<Document> explained_names() {
  std::string text;
  for (const std::string& name : analyze::all_names()) text += name + "\n";
  return {{"names", text}};
}

std::vector<Document> module_names() {
  std::string text;
  for (const ModuleFormat* module : all_modules()) text += fmt::format("{}\n", module->schema->name);
  return {{"modules", text}};
}

std::vector<Document> page_types() {
  return {{"data.ts", report::report_page_types()}, {"prediction_data.ts", report::prediction_page_types()}};
}

const Verb kGenerate = {
    "generate",
    "write man pages, the manual or shell completion",
    "Everything is made from the table that the command line itself is read with. The build calls "
    "this; names and modules are what the completions ask for while one types. page-types are made from the "
    "tables that write the data of these pages.",
    kGenerateExamples,
    attach_generate,
    "",
    kAnswers};

}  // namespace trikal::cli
