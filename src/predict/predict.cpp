#include "predict/predict.hpp"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <optional>
#include <thread>

#include "predict/blocks/totals.hpp"
#include "predict/machine/meeting.hpp"
#include "predict/models/mpi.hpp"
#include "predict/source/bodies.hpp"
#include "predict/source/database.hpp"
#include "predict/source/fortran.hpp"
#include "predict/source/load.hpp"
#include "predict/source/options.hpp"
#include "predict/source/record.hpp"

namespace trikal::predict {
namespace {

using Clock = std::chrono::steady_clock;

// All of a few; of many the first four, one in the middle and the last.
std::vector<int> ranks_to_look_at(int ranks) {
  constexpr int kAll = 8;
  std::vector<int> chosen;
  for (int rank = 0; rank < ranks && (ranks <= kAll || rank < 4); ++rank) chosen.push_back(rank);
  if (ranks > kAll) chosen.insert(chosen.end(), {ranks / 2, ranks - 1});
  return chosen;
}

// All sources of a compilation database, or those that make one program of the record of trikal cc.
std::vector<SourceFile> listed_in(const Request& request, std::string& program, std::string& problem) {
  const std::string record = find_record(request.database);
  if (record.empty()) return read_database(request.database, request.program, problem);
  RecordedProgram found = read_record(record, request.program, problem);
  program = found.path;
  return found.sources;
}

// As many compilers at once as there are processors, but not so many that they fill the memory of a large machine; of
// Fortran one after the other, since modules must be there before they are used. Results are in the order of the sources.
void compile_all(std::vector<SourceFile>& sources, const std::string& cache, std::vector<Bitcode>& files,
                 std::vector<std::string>& problems) {
  constexpr unsigned kMostCompilers = 8;
  const std::size_t most = std::clamp(std::thread::hardware_concurrency(), 1U, kMostCompilers);
  std::deque<Compiling> running;
  std::map<std::string, std::string> modules;  // folder by source
  std::size_t taken = 0;  // in the order in which they were started
  const auto take_first = [&] {
    SourceFile& source = sources[taken++];
    Compiled compiled = finish_compiling(std::move(running.front()));
    running.pop_front();
    while (compiled.bitcode.empty() && mend(source.options, compiled.problem, source.path))
      compiled = compile(source, cache);
    modules[source.path] = compiled.modules;
    if (!compiled.problem.empty()) problems.push_back(compiled.problem);
    if (!compiled.bitcode.empty()) files.push_back({compiled.bitcode, source.path, source.as_needed});
  };
  for (SourceFile& source : sources) {
    const bool alone = language_of(source.path) == Language::kFortran;
    const bool twice =
        std::ranges::any_of(running, [&](const Compiling& one) { return one.source.path == source.path; });
    while (running.size() >= most || ((alone || twice) && !running.empty())) take_first();
    for (const std::string& file : files_behind(source, sources))
      if (const auto there = modules.find(file); there != modules.end())  // before folders with modules of gfortran
        source.options.insert(source.options.begin(), "-I" + there->second);
    running.push_back(start_compiling(source, cache));
  }
  while (!running.empty()) take_first();
}

// Sources that were named are the program, with their options from the list; the rest of it is there if they need it.
void take_listed(std::vector<SourceFile>& sources, const std::vector<SourceFile>& listed) {
  if (sources.empty()) {
    sources = listed;
    return;
  }
  std::vector<SourceFile> others;
  for (const SourceFile& one : listed) {
    const auto named =
        std::ranges::find_if(sources, [&](const SourceFile& source) { return one.path.ends_with(source.path); });
    if (named != sources.end()) *named = one;
    else others.push_back(one);
    (named != sources.end() ? *named : others.back()).as_needed = named == sources.end();
  }
  sources.insert(sources.end(), others.begin(), others.end());
}

std::vector<Bitcode> bitcode_of(const Request& request, Answer& answer, std::string& program) {
  std::vector<SourceFile> sources = request.sources;
  if (!request.database.empty()) {
    const std::vector<SourceFile> listed = listed_in(request, program, answer.problem);
    take_listed(sources, listed);
  }
  const std::string cache = request.cache.empty() ? default_cache() : request.cache;
  if (program.empty() && !sources.empty()) program = sources.front().path;
  add_mpi_modules(sources, cache);
  order_by_modules(sources);
  std::vector<Bitcode> files;
  compile_all(sources, cache, files, answer.skipped);
  add_bodies(sources, files, cache, answer.skipped);
  return files;
}

Setting setting_of(const Request& request, const std::string& program, int rank) {
  Setting setting;
  setting.arguments = {language_of(program) == Language::kNone ? program : "program"};  // a build knows its name
  setting.arguments.insert(setting.arguments.end(), request.arguments.begin(), request.arguments.end());
  setting.environment = request.environment;
  setting.assumed = request.assumed;
  setting.rank = rank, setting.ranks = request.ranks;
  setting.stdin_file = request.stdin_file, setting.stdin_told = request.stdin_told;
  setting.stdin_bytes = request.stdin_bytes, setting.most_seconds = request.most_seconds;
  setting.exact_steps = static_cast<std::uint64_t>(std::max(0.0, request.effort) * 1e6);
  setting.most_steps = std::max(setting.most_steps, 4 * setting.exact_steps);
  return setting;
}

analyze::Prediction told_by(Machine& machine, const Request& request, const std::string& program, int exit_code,
                            Clock::time_point begin) {
  analyze::Prediction out;
  out.exit_code = exit_code;
  out.program = program;
  out.arguments = request.arguments;
  out.rank = machine.setting.rank, out.ranks = request.ranks;
  sum_up(machine, out);
  out.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  return out;
}

// One rank behind the other: they do not send each other anything, or are too many.
void follow_each(const llvm::Module& module, const Request& request, const std::string& program,
                 const std::vector<int>& ranks, Answer& answer) {
  std::map<std::string, std::map<std::string, Hdf5Node>> left;
  std::map<std::string, NetCdfContent> left_netcdf;
  for (const int rank : ranks) {
    const auto begin = Clock::now();
    Setting setting = setting_of(request, program, rank);
    setting.left = left, setting.left_netcdf = left_netcdf;
    Machine machine(module, setting);
    const int exit_code = machine.run();
    for (const auto& [location, node] : machine.world.hdf5().nodes)
      left[machine.world.files[location.first].name][location.second] = node;
    for (const auto& [file, content] : machine.world.netcdf().left)
      left_netcdf[machine.world.files[file].name] = content;
    answer.predictions.push_back(told_by(machine, request, program, exit_code, begin));
  }
}

// All ranks together, each until it has to wait for others.
void follow_together(const llvm::Module& module, const Request& request, const std::string& program,
                     const std::vector<int>& ranks, Answer& answer) {
  Meeting meeting(request.ranks);
  std::vector<std::optional<analyze::Prediction>> told(static_cast<std::size_t>(request.ranks));
  meeting.run([&](int rank) {
    const auto begin = Clock::now();
    Setting setting = setting_of(request, program, rank);
    setting.most_seconds *= request.ranks;  // the clock runs while others do
    setting.meeting = &meeting;
    setting.left = meeting.left, setting.left_netcdf = meeting.left_netcdf;
    Machine machine(module, setting);
    const int exit_code = machine.run();
    publish(machine);
    if (!machine.complete && !meeting.failed()) meeting.inexact = true;
    if (std::ranges::find(ranks, rank) != ranks.end())
      told[static_cast<std::size_t>(rank)] = told_by(machine, request, program, exit_code, begin);
  });
  for (std::optional<analyze::Prediction>& one : told)
    if (one) answer.predictions.push_back(std::move(*one));
}

// Whether what ranks send each other can be followed, and there is any of it.
bool meets(const llvm::Module& module, int ranks) {
  constexpr int kMostRanks = 64;
  constexpr std::string_view kMeeting[] = {"Send",      "Isend",   "Recv",      "Irecv", "Bcast",
                                           "Barrier",   "Reduce",  "Allreduce", "Scan",  "Gather",
                                           "Allgather", "Scatter", "Alltoall",  "split", "Sendrecv"};
  return ranks <= kMostRanks && std::ranges::any_of(module, [&](const llvm::Function& function) {
           const std::string name = function.getName().lower();
           if (!function.isDeclaration() || !name.starts_with("mpi_")) return false;
           return std::ranges::any_of(kMeeting, [&](std::string_view one) {
             return name.find(llvm::StringRef(one.data(), one.size()).lower()) != std::string::npos;
           });
         });
}

void predict(const Request& request, Answer& answer) {
  std::string program;
  const std::vector<Bitcode> files = bitcode_of(request, answer, program);
  if (!answer.problem.empty()) return;
  if (files.empty()) {
    answer.problem = answer.skipped.empty() ? "no source files" : answer.skipped.front();
    return;
  }
  // Both stay until the process ends: taking a large program apart again takes longer than predicting it.
  auto& context = *new llvm::LLVMContext;
  const llvm::Module* module = load(files, context, answer.problem).release();
  if (module == nullptr) return;
  const llvm::Function* main = module->getFunction("main");
  if (main == nullptr || main->isDeclaration()) {
    answer.problem = "there is no main in these sources";
    return;
  }
  if (const std::vector<int> ranks = ranks_to_look_at(request.ranks); meets(*module, request.ranks))
    follow_together(*module, request, program, ranks, answer);
  else follow_each(*module, request, program, ranks, answer);
}

}  // namespace
}  // namespace trikal::predict

extern "C" __attribute__((visibility("default"))) void trikal_predict(const trikal::predict::Request& request,
                                                                      trikal::predict::Answer& answer) {
  trikal::predict::predict(request, answer);
}
