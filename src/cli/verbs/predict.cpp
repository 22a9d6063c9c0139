// trikal predict: what a program will do, from its source.

#include "predict/predict.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "cli/complain.hpp"
#include "cli/program.hpp"
#include "cli/verbs.hpp"
#include "cli/version.hpp"
#include "gather/launch.hpp"
#include "predict/out/predicted_log.hpp"
#include "report/json/prediction.hpp"
#include "report/text/prediction.hpp"

namespace trikal::cli {
namespace {

struct Options {
  std::vector<std::string> words;  // sources and compiler options, then the program's arguments
  std::vector<std::string> assumed, environment, flags;
  std::string database, log, graph;
  int ranks = 1;
  std::uint64_t stdin_bytes = 0;
  double seconds = 60;
  double effort = 20;
  bool json = false;
};

// The parser keeps -- or drops it, as it likes; what stands behind it is the program's.
std::size_t words_behind_dashes() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::size_t words = 0;
  bool seen = false;
  for (std::string word; std::getline(file, word, '\0');) {
    words += seen ? 1 : 0;
    seen = seen || word == "--";
  }
  return words;
}

// LLVM is large, so it is loaded for this verb alone.
predict::PredictFunction load(std::string& problem) {
  const std::filesystem::path beside = std::filesystem::path(gather::find_runtime()).parent_path() / predict::kLibrary;
  void* library = ::dlopen(beside.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return problem = ::dlerror(), nullptr;
  return reinterpret_cast<predict::PredictFunction>(::dlsym(library, predict::kEntry));
}

bool assumptions(const Options& options, predict::Request& request) {
  for (const std::string& one : options.assumed) {
    const std::size_t equals = one.find('=');
    char* end = nullptr;
    if (equals == std::string::npos)
      return warn("trikal predict", fmt::format("--assume {}: NAME=NUMBER is expected", one)), false;
    request.assumed[one.substr(0, equals)] = std::strtoll(one.c_str() + equals + 1, &end, 0);
    if (*end != '\0') return warn("trikal predict", fmt::format("--assume {}: not a number", one)), false;
  }
  return true;
}

bool sources(const Options& options, predict::Request& request) {
  std::vector<std::string> words = options.words;
  std::erase(words, "--");
  const std::size_t behind = std::min(words.size(), words_behind_dashes());
  request.arguments.assign(words.end() - static_cast<std::ptrdiff_t>(behind), words.end());
  words.resize(words.size() - behind);
  for (const std::string& word : words) request.sources.push_back({word, options.flags, ""});
  for (const auto& source : request.sources) {
    if (predict::language_of(source.path) != predict::Language::kNone || !options.database.empty()) continue;
    return warn("trikal predict", fmt::format("{}: not a source of C, C++ or Fortran by its name", source.path)), false;
  }
  if (!request.sources.empty() || !options.database.empty()) return true;
  return warn("trikal predict", "a source file is required, or -p with a compilation database"), false;
}

int show(const Options& options, const predict::Answer& answer) {
  report::DescriptorSink out(STDOUT_FILENO);
  if (options.json) {
    report::write_predictions_json(out, answer.predictions, kVersion);
  } else if (!options.graph.empty()) {
    report::write_block_graph(out, answer.predictions.front());
  } else {
    for (const analyze::Prediction& one : answer.predictions) report::write_prediction(out, one);
  }
  if (const Status written = out.flush(); !written) return complain("standard output", written.error());
  if (options.log.empty()) return kOk;
  const Status logged = predict::write_predicted_log(options.log, answer.predictions);
  return logged ? kOk : complain(options.log, logged.error());
}

int run(const Options& options) {
  predict::Request request;
  request.database = options.database;
  request.environment = options.environment;
  request.ranks = options.ranks;
  request.stdin_bytes = options.stdin_bytes;
  request.most_seconds = options.seconds;
  request.effort = options.effort;
  if (!assumptions(options, request) || !sources(options, request)) return kUsage;
  std::string problem;
  const predict::PredictFunction predict = load(problem);
  if (predict == nullptr)
    return warn("trikal predict", "was built without LLVM 19, or cannot load it: " + problem), kSystem;
  predict::Answer answer;
  predict(request, answer);
  for (const std::string& one : answer.skipped) warn("trikal predict", one);
  if (!answer.problem.empty()) {
    if (answer.skipped.empty() || answer.skipped.front() != answer.problem) warn("trikal predict", answer.problem);
    return kDamaged;
  }
  return show(options, answer);
}

constexpr const char* kProgram = "The program";
constexpr const char* kShow = "What to show";

void attach(CLI::App& app, Action& action) {
  auto options = std::make_shared<Options>();
  app.add_option("SOURCE", options->words, "source files; behind -- the arguments the program would get")
      ->type_name("");
  app.add_option("-p", options->database, "folder with compile_commands.json: its sources and their options")
      ->type_name("DIR")
      ->group(kProgram);
  app.add_option("--flag", options->flags, "an option for the compiler, as --flag=-Iinclude (repeatable)")
      ->type_name("OPTION")
      ->allow_extra_args(false)
      ->group(kProgram);
  app.add_option("--np", options->ranks,
                 "ranks of an MPI program; up to 8 are looked at, of more the first four, the middle and the last")
      ->type_name("N")
      ->check(CLI::Range(1, 1 << 24).description(""))
      ->group(kProgram);
  app.add_option("--assume", options->assumed, "the call KEY, which cannot be known, returns VALUE (repeatable)")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false)
      ->group(kProgram);
  app.add_option("--env", options->environment, "in the program's environment (repeatable)")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false)
      ->group(kProgram);
  app.add_option("--effort", options->effort,
                 "millions of steps to spend on what loops compute, before that is left unknown (20)")
      ->type_name("N")
      ->check(CLI::NonNegativeNumber)
      ->group(kProgram);
  app.add_option("--stdin-size", options->stdin_bytes, "bytes the program would find in its standard input")
      ->type_name("N")
      ->group(kProgram);
  app.add_option("--seconds", options->seconds, "give up after so long, and show what is known by then")
      ->type_name("SECONDS")
      ->group(kProgram);
  app.add_flag("--json", options->json, "as JSON (schema trikal-prediction 1)")->group(kShow);
  app.add_option("--graph", options->graph, "the code-block graph of the first rank, for Graphviz; --json has it, too")
      ->type_name("dot")
      ->check(CLI::IsMember({"dot"}).description(""))
      ->group(kShow);
  app.add_option("--log", options->log, "also write it as a log, for insights, report and diff")
      ->type_name("PATH")
      ->group(kShow);
  app.positionals_at_end();
  action = [options] { return run(*options); };
}

constexpr Example kExamples[] = {
    {"trikal predict stencil.c -- 1000", "what ./stencil 1000 will read and write, line by line"},
    {"trikal predict --log predicted.darshan stencil.c -- 1000",
     "the same as a log: trikal insights predicted.darshan"},
};

}  // namespace

const Verb kPredict = {
    "predict",
    "predict a program's I/O from its source",
    "Reads C and C++ source and works out, without running it, what I/O the program will do for the given arguments: "
    "how "
    "often and how much, for each file and line, and how much of each block's time is I/O. Loops cost nothing by their "
    "number of turns. What cannot be known is named with its cause, and every number says whether it is exact, "
    "extrapolated "
    "or assumed.",
    kExamples,
    attach,
    kWatchingSection,
    kReadsLogs};

}  // namespace trikal::cli
