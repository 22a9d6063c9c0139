#include <fmt/format.h>

#include <algorithm>

#include "analyze/rules/judge.hpp"

namespace trikal::analyze {
namespace {

constexpr Limit kImportStormLimits[] = {
    {"files", 200, "of code that are opened, at least"},
    {"failed", 1000, "calls on names that do not exist, at least"},
};

// Modules of interpreters and shared libraries.
bool is_code(std::string_view name) {
  constexpr std::string_view kEndings[] = {".py",  ".pyc", ".so", ".jl",  ".R", ".rdb",
                                           ".lua", ".rb",  ".pm", ".jar", ".js"};
  for (const std::string_view ending : kEndings) {
    if (name.ends_with(ending)) return true;
  }
  return name.find(".so.") != std::string_view::npos;
}

// Whose program it is that opens them: "/usr/bin/python3.11", or in a log that names no processes "python run.py".
bool is_interpreter(std::string_view command) {
  constexpr std::string_view kInterpreters[] = {"python", "pypy", "ipython", "perl",   "ruby",   "Rscript", "julia",
                                                "lua",    "node", "java",    "octave", "matlab", "php",     "tclsh"};
  const std::string_view program = command.substr(0, command.find(' '));
  const std::string_view name = program.substr(program.rfind('/') + 1);
  return name == "R" || is_code(name) ||
         std::ranges::any_of(kInterpreters, [name](std::string_view one) { return name.starts_with(one); });
}

// tar, cp, grep and git open files of code as well, and what they open they do not run: an interpreter runs in this job, or
// nearly all that is opened is code that is read, as in a program that has an interpreter within.
bool runs_code(const Run& run) {
  if (is_interpreter(run.job->exe)) return true;
  if (std::ranges::any_of(run.processes, [](const ProcessRow& one) { return is_interpreter(one.exe); })) return true;
  std::int64_t code = 0, others = 0;
  for (const FileUse& file : single_files(run)) {
    const auto use = run.use(file, Layer::kPosix);
    if (!use || use->opens == 0) continue;
    if (is_code(file.name) && use->read.bytes > 0) code += 1;
    else others += 1;
  }
  return code > 4 * others;
}

// Any program that imports a large library opens hundreds of files: from a local disk that is over in milliseconds.
bool is_worth_it(const Run& run, double seconds) {
  constexpr double kMuch = 0.1, kPart = 0.01;
  return seconds >= kMuch || seconds >= kPart * run.seconds;
}

void look_for_import_storm(const Scene& scene, std::vector<Finding>& out) {
  const Run& run = scene.run;
  Offenders offenders(run);
  std::int64_t opens = 0, missing = 0;
  double seconds = 0;
  for (const FileUse& file : single_files(run)) {
    if (!is_code(file.name)) continue;
    for (const Layer layer : {Layer::kPosix, Layer::kStdio}) {
      const auto use = run.use(file, layer);
      if (!use || use->opens + use->stats == 0) continue;
      offenders.add(file, *use, use->meta_seconds,
                    fmt::format("{} opens, {} stat calls", grouped(use->opens), grouped(use->stats)));
      opens += use->opens + use->stats, seconds += use->meta_seconds;
    }
  }
  for (const ErrorCount& error : run.errors) missing += error.what == "ENOENT" ? error.count : 0;
  const auto files = static_cast<std::int64_t>(offenders.count());
  // A script with a few modules asks for missing names too; it takes many of either, and some code in any case.
  if (files < scene.count(at(kImportStormLimits, "files")) &&
      (missing < scene.count(at(kImportStormLimits, "failed")) ||
       10 * files < scene.count(at(kImportStormLimits, "files"))))
    return;
  if (!runs_code(run) || !is_worth_it(run, seconds)) return;
  const double each = opens > 0 ? seconds / real_of(opens) : 0;
  Finding finding;
  finding.title =
      fmt::format("{} files of code are searched and opened, {} names tried in vain", grouped(files), grouped(missing));
  finding.evidence = {fmt::format("opening and asking about the files took {}", timed(seconds))};
  finding.formula = fmt::format("{} of metadata time, and {} failed calls at {} each, by how many ranks work at a time",
                                timed(seconds), grouped(missing), timed(each));
  // Failed calls are in no layer's time.
  offenders.add_beside(each * real_of(missing) / std::max(1.0, run.concurrency));
  conclude(offenders, std::move(finding), out, Bound::kRun);
}

}  // namespace

const Rule kImportStorm = {
    "import-storm",
    "a program that searches and opens hundreds of files of code",
    "Every import tries many names in many folders; with thousands of ranks this stops the metadata server for "
    "minutes.",
    "Put the environment on node-local storage or into a container image (squashfs), zip the modules (zipimport, "
    "python -m zipapp), shorten PYTHONPATH and LD_LIBRARY_PATH, load with one rank and broadcast (spindle).",
    "metadata time of the files of code, and as much for each call on a name that does not exist",
    look_for_import_storm,
    kImportStormLimits};

}  // namespace trikal::analyze
