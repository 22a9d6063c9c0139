// trikal predict: what a program will do, from its source.

#include "predict/predict.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>

#include "cli/complain.hpp"
#include "cli/program.hpp"
#include "cli/verbs.hpp"
#include "cli/version.hpp"
#include "gather/runtime_library.hpp"
#include "predict/out/predicted_log.hpp"
#include "predict/score/model.hpp"
#include "report/graph/block_graph.hpp"
#include "report/html/page.hpp"
#include "report/json/prediction.hpp"
#include "report/output.hpp"
#include "report/sarif/sarif.hpp"
#include "report/text/parameters.hpp"
#include "report/text/prediction.hpp"

namespace trikal::cli {
namespace {

struct PredictOptions {
  std::vector<std::string> words;  // sources and compiler options, then the program's arguments
  std::vector<std::string> assumed, environment, flags;
  std::string database, program, log, graph, sarif, page, stdin_file;
  int ranks = 1;
  std::optional<std::uint64_t> stdin_bytes;
  bool no_environment = false;
  double seconds = 60;
  double effort = 20;
  std::string model = predict::kDefaultModel;
  bool json = false, system = false, parameters = false;
};

// The parser keeps -- or drops it, as it likes; what stands behind the first one is the program's.
std::vector<std::string> words_behind_dashes() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::vector<std::string> words;
  bool seen = false;
  for (std::string word; std::getline(file, word, '\0');) {
    if (seen) words.push_back(word);
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

bool assumptions(const PredictOptions& options, predict::Request& request) {
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

bool sources(const PredictOptions& options, predict::Request& request) {
  std::vector<std::string> words = options.words;
  std::erase(words, "--");
  request.arguments = words_behind_dashes();
  const auto behind = static_cast<std::size_t>(
      std::ranges::count_if(request.arguments, [](const std::string& word) { return word != "--"; }));
  words.resize(words.size() - std::min(words.size(), behind));
  for (const std::string& word : words) request.sources.push_back({word, options.flags, ""});
  for (const auto& source : request.sources) {
    if (predict::language_of(source.path) != predict::Language::kNone || !options.database.empty()) continue;
    return warn("trikal predict", fmt::format("{}: not a source of C, C++ or Fortran by its name", source.path)), false;
  }
  if (!options.program.empty() && options.database.empty())
    return warn("trikal predict", "--program needs -p with a folder that trikal cc has written to"), false;
  if (!request.sources.empty() || !options.database.empty()) return true;
  return warn("trikal predict", "a source file is required, or -p with a compilation database"), false;
}

void write_graph(report::Sink& out, const std::string& how, const analyze::Prediction& prediction) {
  if (how == "dot") report::write_block_graph_dot(out, prediction);
  else if (how == "svg") report::write_block_graph_svg(out, prediction);
  else report::write_block_graph_json(out, prediction, kVersion);
}

// Whole or not at all; what was there before is replaced.
template <class Write>
Status write_file(const std::string& path, Write write) {
  auto file = report::OutputFile::create(path, report::Replace::kYes);
  if (!file) return file.error();
  report::DescriptorSink out((*file)->descriptor());
  write(out);
  const Status written = out.flush();
  return written ? (*file)->keep() : written;
}

// Of every file that lines with I/O are in; none where it is gone, or too large to read on a page.
std::vector<report::SourceText> texts_of(const predict::Answer& answer) {
  constexpr std::size_t kMost = 1 << 20;
  std::set<std::string> names;
  for (const analyze::Prediction& one : answer.predictions)
    for (const analyze::CodeBlock& block : one.blocks)
      if (block.kind == analyze::BlockKind::kLine && !block.io.empty()) names.insert(block.source);
  std::vector<report::SourceText> texts;
  for (const std::string& name : names) {
    std::error_code problem;
    if (std::filesystem::file_size(name, problem) > kMost || problem) continue;
    std::ifstream file(name, std::ios::binary);
    texts.push_back({name, std::string(std::istreambuf_iterator<char>(file), {})});
  }
  return texts;
}

// What was asked for beside what is printed.
int write_files(const PredictOptions& options, const predict::Answer& answer) {
  Status done;
  if (!options.sarif.empty()) {
    done = write_file(options.sarif, [&](report::Sink& file) {
      report::write_sarif(file, answer.predictions, kVersion, std::filesystem::current_path().string());
    });
    if (!done) return complain(options.sarif, done.error());
  }
  if (!options.page.empty()) {
    if (!report::has_page()) return warn("trikal predict", "was built without pages"), kSystem;
    done = write_file(options.page, [&](report::Sink& file) {
      report::write_prediction_page(file, answer.predictions, kVersion, texts_of(answer));
    });
    if (!done) return complain(options.page, done.error());
  }
  if (options.log.empty()) return kOk;
  done = predict::write_predicted_log(options.log, answer.predictions);
  return done ? kOk : complain(options.log, done.error());
}

int show(const PredictOptions& options, const predict::Answer& answer) {
  const bool text = !options.json && options.graph.empty();
  report::DescriptorSink out(STDOUT_FILENO, text ? report::Audience::kPerson : report::Audience::kProgram);
  if (options.json) {
    report::write_predictions_json(out, answer.predictions, kVersion);
  } else if (!options.graph.empty()) {
    write_graph(out, options.graph, answer.predictions.front());
  } else {
    for (const analyze::Prediction& one : answer.predictions) {
      report::write_prediction(out, one);
      if (options.parameters) report::write_parameters(out, one);
    }
  }
  if (const Status written = out.flush(); !written) return complain("standard output", written.error());
  return write_files(options, answer);
}

// Measures the file systems of the folders named, of this one and of temporary files.
int measure(const PredictOptions& options) {
  std::vector<std::string> folders = options.words;
  folders.insert(folders.end(), {".", "/tmp", "/dev/shm"});
  for (const std::string& folder : options.words)
    if (!std::filesystem::is_directory(folder))
      return warn("trikal predict", fmt::format("--system {}: not a folder", folder)), kUsage;
  const predict::SystemProfile profile = predict::measure_system(folders, std::getenv("TRIKAL_QUICK") != nullptr);
  const std::string path = predict::calibration_folder() + "/system.json";
  std::error_code error;
  std::filesystem::create_directories(predict::calibration_folder(), error);
  std::ofstream file(path);
  file << predict::profile_json(profile);
  file.close();
  if (!file) return warn("trikal predict", fmt::format("{}: cannot be written", path)), kSystem;
  report::DescriptorSink out(STDOUT_FILENO);
  if (options.json) out.put(predict::profile_json(profile));
  else out.put(predict::profile_text(profile) + fmt::format("\nkept in {}; predictions use it\n", path));
  const Status written = out.flush();
  return written ? kOk : complain("standard output", written.error());
}

// That of the caller, with what --env says for the variables that it names.
std::vector<std::string> environment_of(const PredictOptions& options) {
  std::vector<std::string> all = options.environment;
  const auto name = [](std::string_view one) { return one.substr(0, one.find('=')); };
  for (char** one = environ; !options.no_environment && one != nullptr && *one != nullptr; ++one)
    if (std::ranges::none_of(options.environment, [&](const std::string& told) { return name(told) == name(*one); }))
      all.emplace_back(*one);
  return all;
}

int run_predict(const PredictOptions& options) {
  if (options.system) return measure(options);
  predict::Request request;
  request.database = options.database;
  request.program = options.program;
  request.environment = environment_of(options);
  request.ranks = options.ranks;
  request.stdin_bytes = options.stdin_bytes.value_or(0), request.stdin_told = options.stdin_bytes.has_value();
  if (!options.stdin_file.empty()) {
    std::error_code error;
    request.stdin_file = std::filesystem::absolute(options.stdin_file, error).string(), request.stdin_told = true;
    if (!std::filesystem::exists(request.stdin_file, error))
      return warn("trikal predict", fmt::format("--stdin {}: no such file", options.stdin_file)), kUsage;
  }
  request.most_seconds = options.seconds;
  request.effort = options.effort;
  if (!assumptions(options, request) || !sources(options, request)) return kUsage;
  std::string problem;
  const std::optional<predict::Scoring> scoring = predict::choose_scoring(options.model, problem);
  if (!scoring) return warn("trikal predict", "--model " + problem), kUsage;
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
  for (analyze::Prediction& one : answer.predictions) predict::apply(*scoring, one);
  return show(options, answer);
}

constexpr const char* kProgram = "The program";
constexpr const char* kShow = "What to show";

void attach_output(CommandLine& app, PredictOptions& options) {
  app.add_flag("--json", options.json, "as JSON (schema trikal-prediction 1)")->group(kShow);
  app.add_option("--graph", options.graph,
                 "the code-block graph of the first rank: dot for Graphviz, svg as a picture, json")
      ->type_name("dot|svg|json")
      ->check(one_of({"dot", "svg", "json"}))
      ->group(kShow);
  app.add_option("--log", options.log, "also write it as a log, for insights, report and diff")
      ->type_name("PATH")
      ->group(kShow);
  app.add_option("--sarif", options.sarif, "also write the findings as SARIF 2.1.0, for editors and code hosts")
      ->type_name("PATH")
      ->group(kShow);
  app.add_option("--html", options.page, "also write a page: findings, blocks beside the source, files, the graph")
      ->type_name("PATH")
      ->group(kShow);
}

void attach_input(CommandLine& app, PredictOptions& options) {
  app.add_option("--env", options.environment,
                 "set this variable in the program's environment, which is the caller's otherwise (repeatable)")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false)
      ->group(kProgram);
  app.add_flag("--no-env", options.no_environment,
               "the program's environment is what --env says, and nothing of the caller's")
      ->group(kProgram);
  app.add_option("--stdin", options.stdin_file, "a file that is the program's standard input")
      ->type_name("FILE")
      ->group(kProgram);
  app.add_option("--stdin-size", options.stdin_bytes, "size of the program's standard input in bytes")
      ->type_name("N")
      ->group(kProgram);
}

void attach_predict(CommandLine& app, Action& action) {
  auto options = std::make_shared<PredictOptions>();
  app.add_option("SOURCE", options->words, "source files; the program's arguments follow --")->type_name("");
  app.add_option("-p", options->database, "folder with compile_commands.json, or with what trikal cc recorded")
      ->type_name("DIR")
      ->group(kProgram);
  app.add_option("--program", options->program, "the program to predict, if the build has several")
      ->type_name("NAME")
      ->group(kProgram);
  app.add_option("--flag", options->flags, "an option for the compiler, such as --flag=-Iinclude (repeatable)")
      ->type_name("OPTION")
      ->allow_extra_args(false)
      ->group(kProgram);
  app.add_option("--np", options->ranks,
                 "number of MPI ranks; up to 8 are all predicted, of more the first four, the middle one and the last")
      ->type_name("N")
      ->check(between(1, 1 << 24))
      ->group(kProgram);
  app.add_option("--assume", options->assumed, "assume that call KEY returns VALUE (repeatable)")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false)
      ->group(kProgram);
  attach_input(app, *options);
  app.add_option("--effort", options->effort,
                 "millions of instructions to spend on exact results of loops before they are left unknown (20)")
      ->type_name("N")
      ->check(not_negative())
      ->group(kProgram);
  app.add_option("--seconds", options->seconds, "stop after this time and show what is known by then")
      ->type_name("SECONDS")
      ->group(kProgram);
  app.add_option("--model", options->model, "the model for scores: physical, vidya-refit, vidya-2019, or a file")
      ->type_name("NAME")
      ->group(kProgram);
  app.add_flag("--system", options->system,
               "measure this machine and its file systems (also of the folders named); later predictions use it")
      ->group(kProgram);
  app.add_flag("--parameters", options->parameters, "also P1 to P15 and X1 to X16 of every block")->group(kShow);
  attach_output(app, *options);
  app.positionals_at_end();
  action = [options] { return run_predict(*options); };
}

constexpr Example kPredictExamples[] = {
    {"trikal predict stencil.c -- 1000", "what ./stencil 1000 will read and write, line by line"},
    {"trikal predict --log predicted.darshan stencil.c -- 1000",
     "the same as a log: trikal insights predicted.darshan"},
    {"trikal predict --graph svg stencil.c -- 1000 > stencil.svg", "the code-block graph as a picture"},
    {"trikal predict --html stencil.html stencil.c -- 1000", "a page with the source beside its blocks"},
    {"trikal predict --sarif stencil.sarif stencil.c -- 1000", "the findings for an editor or a code host"},
    {"trikal predict --system", "measure once what operations take here; later predictions use it"},
};

}  // namespace

const Verb kPredict = {
    "predict",
    "predict a program's I/O from its source",
    "Reads C and C++ source and works out, without running it, what I/O the program will do for the given arguments: "
    "how "
    "often and how much, for each file and line, and how much of each block's time is I/O. Analysis time does not "
    "depend "
    "on the number of iterations of a loop. What cannot be known is named with its cause, and every number says "
    "whether it is exact, "
    "extrapolated "
    "or assumed.",
    kPredictExamples,
    attach_predict,
    kWatchingSection,
    kReadsLogs};

}  // namespace trikal::cli
