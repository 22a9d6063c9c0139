// trikal cc, c++ and fc: the compiler as it is, and beside it a line that says what was made of what.

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "cli/complain.hpp"
#include "cli/verbs.hpp"
#include "predict/source/command.hpp"
#include "report/json/writer.hpp"

namespace trikal::cli {
namespace {

struct Compiler {
  const char *verb, *variable, *fallback;
};
constexpr Compiler kCompilers[] = {
    {"trikal cc", "TRIKAL_CC", "cc"}, {"trikal c++", "TRIKAL_CXX", "c++"}, {"trikal fc", "TRIKAL_FC", "gfortran"}};

std::vector<std::string> words_of(const Compiler& compiler) {
  const char* told = std::getenv(compiler.variable);
  std::istringstream text(told != nullptr && *told != '\0' ? told : compiler.fallback);
  return {std::istream_iterator<std::string>(text), {}};
}

std::string folder_of(const std::string& told) {
  const char* variable = std::getenv("TRIKAL_RECORD");
  if (!told.empty()) return told;
  return variable != nullptr && *variable != '\0' ? variable : predict::kRecordFolder;
}

void put_list(report::JsonWriter& json, std::string_view key, const std::vector<std::string>& words) {
  json.key(key);
  json.open_array();
  for (const std::string& word : words) json.value(std::string_view(word));
  json.close();
}

std::string line_of(const predict::CompileCommand& command, const std::string& compiler) {
  report::StringSink text;
  report::JsonWriter json(text);
  json.open_object();
  json.field("directory", std::string_view(command.directory));
  json.field("compiler", std::string_view(compiler));
  put_list(json, "arguments", command.arguments);
  put_list(json, "sources", command.sources);
  put_list(json, "inputs", command.inputs);
  json.field("output", std::string_view(command.output));
  json.field("links", command.links);
  json.field("loadable", command.loadable);
  json.close();
  return std::string(text.text()) + "\n";
}

// One write to the end of the file, so that the lines of a parallel build do not mix.
bool append(const std::string& folder, const std::string& line) {
  std::error_code problem;
  std::filesystem::create_directories(folder, problem);
  const std::string path = folder + "/" + predict::kRecordFile;
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file < 0) return false;
  const bool whole = ::write(file, line.data(), line.size()) == static_cast<ssize_t>(line.size());
  return ::close(file) == 0 && whole;
}

// The status of waitpid; negative: it could not be started.
int run_compiler(const std::vector<std::string>& words) {
  std::vector<char*> argv;
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  pid_t child = 0;
  if (const int problem = ::posix_spawnp(&child, argv[0], nullptr, nullptr, argv.data(), environ); problem != 0)
    return -problem;
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

int run_compiler(const Compiler& compiler, const std::string& told, const std::vector<std::string>& arguments) {
  std::vector<std::string> words = words_of(compiler);
  const std::string name = words.front();
  words.insert(words.end(), arguments.begin(), arguments.end());
  const int status = run_compiler(words);
  if (status < 0) return warn(compiler.verb, fmt::format("{}: {}", name, std::strerror(-status))), 127;
  if (WIFSIGNALED(status)) {
    ::signal(WTERMSIG(status), SIG_DFL);
    ::kill(::getpid(), WTERMSIG(status));
    return 128 + WTERMSIG(status);
  }
  if (WEXITSTATUS(status) != 0) return WEXITSTATUS(status);
  std::error_code ignored;
  const predict::CompileCommand command =
      predict::understand(arguments, std::filesystem::current_path(ignored).string());
  const std::string folder = folder_of(told);
  // Never the build's business: what cannot be written down costs a line, not the exit status.
  if (command.makes_something() && !append(folder, line_of(command, name)))
    warn(compiler.verb, fmt::format("{}/{}: {}", folder, predict::kRecordFile, std::strerror(errno)));
  return kOk;
}

template <std::size_t Which>
void attach_compiler(CommandLine& app, Action& action) {
  auto folder = std::make_shared<std::string>();
  app.add_option("--record", *folder, "the folder of commands.jsonl; goes before the compiler's arguments")
      ->type_name("DIR")
      ->group("What comes out");
  app.prefix_command();
  action = [&app, folder] { return run_compiler(kCompilers[Which], *folder, app.remaining()); };
}

constexpr Example kCExamples[] = {
    {"make CC=\"trikal cc\"", "build as usual; then trikal predict -p . --program NAME"},
    {"trikal cc -O2 -c stencil.c -o stencil.o", "what cc does, and a line in .trikal/commands.jsonl"},
};
constexpr Example kCxxExamples[] = {
    {"make CXX=\"trikal c++\"", "build as usual; then trikal predict -p . --program NAME"},
    {"trikal c++ --version", "the compiler answers, and nothing is recorded"},
};
constexpr Example kFcExamples[] = {
    {"make FC=\"trikal fc\"", "build as usual; then trikal predict -p . --program NAME"},
    {"TRIKAL_RECORD=/tmp/record trikal fc --version", "one record for a build with many folders"},
};
constexpr std::string_view kDescription =
    "Runs the compiler with unchanged arguments and passes its output and exit status through. After a successful run "
    "it "
    "adds a line to commands.jsonl with the sources, objects and libraries of what was built, so that trikal predict "
    "-p "
    "finds whole programs. That file is in the folder of --record, else $TRIKAL_RECORD, else .trikal in the working "
    "directory.";
constexpr ExitSet kExits = 1U << kOk;

}  // namespace

const Verb kCc = {
    "cc",  "compile C, noting what makes which program", kDescription, kCExamples, attach_compiler<0>, kWatchingSection,
    kExits};
const Verb kCxx = {"c++",
                   "compile C++, noting what makes which program",
                   kDescription,
                   kCxxExamples,
                   attach_compiler<1>,
                   kWatchingSection,
                   kExits};
const Verb kFc = {"fc",
                  "compile Fortran, noting what makes which program",
                  kDescription,
                  kFcExamples,
                  attach_compiler<2>,
                  kWatchingSection,
                  kExits};

}  // namespace trikal::cli
