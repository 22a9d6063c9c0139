#include "predict/calibrate/training.hpp"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "predict/score/json.hpp"

namespace trikal::predict {
namespace {

namespace fs = std::filesystem;

struct Measured {
  double runs = 0, seconds = 0, io = 0;
  double spread = 0;  // of io / seconds over runs
};
using Measurement = std::map<std::string, Measured>;  // by path of the block

std::string shell_word(const std::string& word) {
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

int shell(const std::string& command) {
  const int status = std::system(command.c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

std::string output_of(const std::string& command) {
  std::string out;
  FILE* pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) return out;
  char piece[4096];
  while (const std::size_t got = std::fread(piece, 1, sizeof piece, pipe)) out.append(piece, got);
  return ::pclose(pipe) == 0 ? out : std::string{};
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

// What the compiler needs for MPI, asked of its own wrapper: Open MPI's words, then MPICH's. The program's name goes away.
std::vector<std::string> mpi_options(const char* open_mpi, const char* mpich) {
  std::vector<std::string> words = words_of(output_of(fmt::format("mpicc {} 2>/dev/null", open_mpi)));
  if (!words.empty()) return words;
  words = words_of(output_of(fmt::format("mpicc {} 2>/dev/null", mpich)));
  if (!words.empty()) words.erase(words.begin());
  return words;
}

Measurement read_blocks(const std::string& path) {
  Measurement all;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::istringstream fields(line);
    std::string name, runs, seconds, io;
    if (!std::getline(fields, name, '\t') || !std::getline(fields, runs, '\t') ||
        !std::getline(fields, seconds, '\t') || !std::getline(fields, io))
      continue;
    Measured& one = all[name];  // loops of one line count together, as in the prediction
    one.runs += std::strtod(runs.c_str(), nullptr), one.seconds += std::strtod(seconds.c_str(), nullptr);
    one.io += std::strtod(io.c_str(), nullptr);
  }
  return all;
}

// Of each block the time of the fastest run, as what else goes on in the machine only adds, and the share of I/O that is
// the middle one of the faster half of the runs.
Measurement fastest(const std::vector<Measurement>& runs) {
  Measurement out;
  for (const auto& [name, unused] : runs.front()) {
    std::vector<Measured> all;
    for (const Measurement& one : runs)
      if (const auto found = one.find(name); found != one.end()) all.push_back(found->second);
    Measured& one = out[name] = *std::ranges::min_element(all, {}, &Measured::seconds);
    std::ranges::sort(all, {}, &Measured::seconds);
    all.resize((all.size() + 1) / 2);
    std::vector<double> shares;
    shares.reserve(all.size());
    for (const Measured& run : all) shares.push_back(run.seconds > 0 ? std::min(1.0, run.io / run.seconds) : 0);
    std::ranges::sort(shares);
    one.io = one.seconds * (shares[(shares.size() - 1) / 2] + shares[shares.size() / 2]) / 2;
    one.spread = shares.back() - shares.front();
  }
  return out;
}

class Training {
 public:
  Training(const TrainingPlan& plan, const TrainingProgram& program) : plan_(plan), program_(program) {
    binary_ = plan.folder + "/" + program.name;
    source_ = {program.source, {}, ""};
    if (program.mpi) source_.options = mpi_options("-showme:compile", "-compile_info");
  }

  void run(Rows& rows) {
    if (program_.mpi && source_.options.empty()) return plan_.say(program_.name + ": no MPI here, left out");
    const std::size_t inputs = std::min(program_.inputs.size(), plan_.most_inputs);
    for (std::size_t i = 0; i < inputs; ++i)
      if (!predict(program_.inputs[i])) return;
    if (!build()) return;
    for (std::size_t i = 0; i < inputs; ++i) measure(i, rows);
  }

 private:
  bool predict(const std::vector<std::string>& input) {
    Request request;
    request.sources = {source_};
    request.arguments = input;
    request.ranks = program_.ranks;
    request.most_seconds = 20;
    request.effort = 3;  // what programs compute matters less here than how often
    Answer answer;
    const fs::path here = fs::current_path();
    const std::string scratch = fresh_folder();
    fs::current_path(scratch);
    plan_.predict(request, answer);
    fs::current_path(here);
    if (answer.predictions.empty()) return plan_.say(program_.name + ": " + answer.problem), false;
    set_variables(answer.predictions[0], plan_.concurrency);
    predictions_.push_back(std::move(answer.predictions[0]));
    return true;
  }

  std::string fresh_folder() const {
    const std::string scratch = plan_.folder + "/" + program_.name + ".run";
    std::error_code error;
    fs::remove_all(scratch, error);
    fs::create_directories(scratch, error);
    return scratch;
  }

  // Timers of blocks that are entered very often would measure themselves; so would those of blocks that no prediction
  // saw, such as comparators that only a library calls.
  std::set<std::string> timed_blocks() const {
    constexpr double kOften = 5000;
    std::set<std::string> seen, often;
    for (const analyze::Prediction& one : predictions_)
      for (std::uint32_t i = 1; i < one.blocks.size(); ++i)
        if (one.blocks[i].runs > 0)
          (one.blocks[i].runs > kOften ? often : seen).insert(analyze::path_of(one.blocks, i));
    for (const std::string& path : often) seen.erase(path);
    return seen;
  }

  bool build() {
    InstrumentRequest request;
    request.sources = {source_};
    request.timed = timed_blocks();
    request.bitcode = binary_ + ".bc";
    std::string problem;
    plan_.instrument(request, problem);
    if (!problem.empty()) return plan_.say(program_.name + ": " + problem), false;
    const Language language = language_of(program_.source);
    const char* linker = language == Language::kCpp       ? "clang++-19"
                         : language == Language::kFortran ? "flang-new-19"  // has the library that its code calls
                                                          : "clang-19";
    std::string command = fmt::format(
        "clang-19 -O2 -w -c {0} -o {1}.timers.o && clang-19 -O2 -w -c {1}.bc -o {1}.o && {2} {1}.o {1}.timers.o -o {1} "
        "-lm",
        shell_word(plan_.timers), shell_word(binary_), linker);
    if (program_.mpi)
      for (const std::string& word : mpi_options("-showme:link", "-link_info")) command += " " + shell_word(word);
    if (shell(command + " >/dev/null 2>&1") == 0) return true;
    return plan_.say(program_.name + ": its copy with timers could not be built"), false;
  }

  void measure(std::size_t number, Rows& rows) {
    std::vector<Measurement> runs;
    std::string arguments;
    for (const std::string& word : program_.inputs[number]) arguments += " " + shell_word(word);
    const std::string out = binary_ + ".blocks";
    const std::string start =
        program_.mpi
            ? fmt::format("OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun -n {} ", program_.ranks)
            : std::string{};
    for (int i = 0; i < plan_.repeats; ++i) {
      std::error_code error;
      fs::remove(out + ".0", error);
      const std::string command =
          fmt::format("cd {} && TRIKAL_BLOCKS={} {}{}{} >/dev/null 2>&1 </dev/null", shell_word(fresh_folder()),
                      shell_word(out), start, shell_word(binary_), arguments);
      if (shell(command) != 0) return plan_.say(program_.name + arguments + ": failed");
      runs.push_back(read_blocks(out + ".0"));
    }
    const Measurement measured = fastest(runs);
    const analyze::Prediction& predicted = predictions_[number];
    for (std::uint32_t i = 1; i < predicted.blocks.size(); ++i) {
      const auto found = measured.find(analyze::path_of(predicted.blocks, i));
      if (found == measured.end() || found->second.seconds < plan_.least_seconds) continue;
      std::string input = arguments;
      std::erase(input, '\'');
      rows.push_back({program_.name, input.substr(input.empty() ? 0 : 1), found->first, predicted.blocks[i],
                      found->second.seconds, std::min(found->second.io, found->second.seconds), found->second.spread});
    }
    std::error_code error;
    fs::remove_all(plan_.folder + "/" + program_.name + ".run", error);
  }

  const TrainingPlan& plan_;
  const TrainingProgram& program_;
  std::string binary_;
  SourceFile source_;
  std::vector<analyze::Prediction> predictions_;
};

}  // namespace

std::vector<TrainingProgram> read_training(const std::string& folder, std::string& problem) {
  const std::optional<Json> file = read_json(folder + "/training.json");
  std::vector<TrainingProgram> all;
  if (!file) return problem = folder + "/training.json: cannot be read", all;
  for (const Json& one : (*file)["programs"].items) {
    TrainingProgram program;
    program.name = one["name"].text, program.family = one["family"].text;
    program.source = folder + "/" + one["source"].text;
    program.mpi = one["ranks"].kind == Json::Kind::kNumber;
    program.ranks = program.mpi ? static_cast<int>(std::clamp(one["ranks"].number, 1.0, 64.0)) : 1;
    for (const Json& input : one["inputs"].items) program.inputs.push_back(words_of(input.text));
    if (program.name.empty() || program.inputs.empty() || program.name.find('/') != std::string::npos)
      return problem = folder + "/training.json: a program needs a name and inputs", all;
    all.push_back(std::move(program));
  }
  if (all.empty()) problem = folder + "/training.json: no programs";
  return all;
}

Rows train(const TrainingPlan& plan) {
  Rows rows;
  for (const TrainingProgram& program : plan.programs) {
    plan.say(fmt::format("{} ({})", program.name, program.family));
    Training(plan, program).run(rows);
  }
  return rows;
}

}  // namespace trikal::predict
