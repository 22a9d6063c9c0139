// trikal calibrate: what blocks of code really take here, and the models that predict it.

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
#include "gather/runtime_library.hpp"
#include "predict/calibrate/training.hpp"
#include "report/sink.hpp"

namespace trikal::cli {
namespace {

namespace fs = std::filesystem;
constexpr const char* kName = "trikal calibrate";

struct CalibrateOptions {
  std::string training, out, folder = ".";
  std::vector<std::string> only;
  bool quick = false, quiet = false;
};

bool load(predict::TrainingPlan& plan, std::string& problem) {
  const fs::path library_path = fs::path(gather::find_runtime()).parent_path() / predict::kLibrary;
  void* library = ::dlopen(library_path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return problem = ::dlerror(), false;
  plan.predict = reinterpret_cast<predict::PredictFunction>(::dlsym(library, predict::kEntry));
  plan.instrument = reinterpret_cast<predict::InstrumentFunction>(::dlsym(library, predict::kInstrumentEntry));
  return plan.predict != nullptr && plan.instrument != nullptr;
}

bool write(const std::string& path, const std::string& text) {
  std::error_code error;
  fs::create_directories(fs::path(path).parent_path(), error);
  std::ofstream file(path);
  file << text;
  file.close();
  if (!file) warn(kName, fmt::format("{}: cannot be written", path));
  return static_cast<bool>(file);
}

bool choose_programs(const CalibrateOptions& options, predict::TrainingPlan& plan) {
  std::string problem;
  const std::string folder = options.training.empty() ? predict::shared_folder() + "/training" : options.training;
  plan.programs = predict::read_training(fs::absolute(folder).string(), problem);
  if (!problem.empty()) return warn(kName, problem), false;
  if (options.only.empty()) return true;
  std::erase_if(plan.programs, [&](const predict::TrainingProgram& one) {
    return std::ranges::find(options.only, one.name) == options.only.end();
  });
  return !plan.programs.empty() || (warn(kName, "--only: no such training program"), false);
}

struct Fitted {
  predict::Model physical, refit, published;
};

Fitted fit(const predict::Rows& rows, const predict::SystemProfile& profile, const analyze::Costs& prior,
           const std::string& hash) {
  Fitted out{predict::fit_physical(rows, prior), {}, {}};
  out.refit = predict::fit_refit(rows);
  for (predict::Model* model : {&out.physical, &out.refit}) {
    model->training = hash, model->machine = profile.machine, model->mount = profile.mounts[0].path;
    model->source = fmt::format("trikal calibrate {}", kVersion);
  }
  std::string problem;
  if (const auto published = predict::choose_scoring("vidya-2019", problem)) out.published = published->model;
  return out;
}

int run_calibrate(const CalibrateOptions& options) {
  predict::TrainingPlan plan;
  std::string problem;
  if (!load(plan, problem)) return warn(kName, "was built without LLVM 19, or cannot load it: " + problem), kSystem;
  if (!choose_programs(options, plan)) return kUsage;
  std::string scratch = fs::absolute(options.folder).string() + "/trikal-calibrate-XXXXXX";
  if (::mkdtemp(scratch.data()) == nullptr)
    return warn(kName, fmt::format("{}: no folder can be made there", options.folder)), kSystem;
  plan.folder = scratch;
  plan.timers = predict::shared_folder() + "/training/timers.c";
  plan.repeats = options.quick ? 1 : 5;
  plan.most_inputs = options.quick ? 2 : 100;
  plan.say = [&](const std::string& text) {
    if (!options.quiet) warn(kName, text);
  };
  plan.say("measuring the machine");
  const predict::SystemProfile profile = predict::measure_system({scratch}, options.quick);
  std::error_code error;
  if (profile.mounts.empty())
    return fs::remove_all(scratch, error), warn(kName, "the file system could not be measured"), kSystem;
  plan.concurrency = profile.mounts[0].concurrency;
  const predict::Rows rows = predict::train(plan);
  fs::remove_all(scratch, error);
  if (rows.empty()) return warn(kName, "no block was measured"), kSystem;
  analyze::Costs prior;
  prior.prices = profile.mounts[0].prices, prior.work = predict::work_on(profile, profile.mounts[0]);
  const std::string table = predict::rows_csv(rows);
  const Fitted fitted = fit(rows, profile, prior, predict::hash_of(table));
  const std::string out = options.out.empty() ? predict::calibration_folder() : options.out;
  if (!write(out + "/calibration.csv", table) || !write(out + "/system.json", predict::profile_json(profile)) ||
      !write(out + "/models/physical.json", predict::model_json(fitted.physical)) ||
      !write(out + "/models/vidya-refit.json", predict::model_json(fitted.refit)))
    return kSystem;
  report::DescriptorSink sink(STDOUT_FILENO);
  sink.put(predict::calibration_text(rows, prior, fitted.physical, fitted.refit, fitted.published));
  sink.put(fmt::format("\nkept in {}; predictions use it\n", out));
  const Status written = sink.flush();
  return written ? kOk : complain("standard output", written.error());
}

constexpr const char* kWhat = "What to measure";
constexpr const char* kWhere = "Where";

void attach_calibrate(CommandLine& app, Action& action) {
  auto options = std::make_shared<CalibrateOptions>();
  app.add_option("--training", options->training,
                 "a folder with training.json and programs; else those that came with trikal")
      ->type_name("DIR")
      ->group(kWhat);
  app.add_option("--only", options->only, "this training program alone (repeatable)")
      ->type_name("NAME")
      ->allow_extra_args(false)
      ->group(kWhat);
  app.add_flag("--quick", options->quick, "two inputs of each program, one run each: to try it, not to rely on it")
      ->group(kWhat);
  app.add_option("--folder", options->folder,
                 "where programs read and write: on the file system that is to be calibrated")
      ->type_name("DIR")
      ->group(kWhere);
  app.add_option("-o,--out", options->out,
                 "where models, profile and data set are kept; else where predictions look for them")
      ->type_name("DIR")
      ->group(kWhere);
  app.add_flag("--quiet", options->quiet, "do not say what is being done")->group(kOtherGroup);
  action = [options] { return run_calibrate(*options); };
}

constexpr Example kCalibrateExamples[] = {
    {"trikal calibrate --quick --only io_bench --out trial",
     "measure one training program, but little, and keep it elsewhere"},
    {"trikal calibrate --quick --only stencil --out trial", "another one"},
};

}  // namespace

const Verb kCalibrate = {"calibrate",
                         "fit the models of predict to this machine",
                         "Builds copies of training programs with timers at the entry and exit of functions and loops "
                         "and around calls that do "
                         "I/O, runs them, predicts them, and fits the models of trikal predict to what was measured: "
                         "what operations, bytes and "
                         "instructions take on this machine and file system. Prints how good each model is on blocks "
                         "it was fitted on and on "
                         "programs it never saw, beside two simple baselines. Takes some minutes.",
                         kCalibrateExamples,
                         attach_calibrate,
                         kWatchingSection,
                         kAnswers};

}  // namespace trikal::cli
