#include "predict/source/compile.hpp"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Program.h>
#include <llvm/Support/SHA1.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

#include "predict/source/fortran.hpp"
#include "predict/source/openmp.hpp"

namespace trikal::predict {
namespace {

namespace fs = std::filesystem;

std::optional<std::string> contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(file), {});
}

// Of the library's own version: it reads no newer bitcode.
std::string find_compiler(const std::string& path) {
  const auto names = language_of(path) == Language::kFortran ? std::vector<std::string>{"flang-new-19"}
                     : language_of(path) == Language::kCpp   ? std::vector<std::string>{"clang++-19"}
                                                             : std::vector<std::string>{"clang-19"};
  for (const std::string& name : names)
    if (const auto found = llvm::sys::findProgramByName(name)) return *found;
  return {};
}

std::string modules_beside(const fs::path& bitcode) { return bitcode.string() + ".modules"; }

std::string said_beside(const Compiled& made) { return made.bitcode + ".said"; }

std::vector<std::string> command(const SourceFile& source, const std::string& compiler, const fs::path& bitcode) {
  std::vector<std::string> words = {compiler};
  const bool fortran = language_of(source.path) == Language::kFortran;
  const std::vector<std::string> options = fortran ? flang_options(source.options) : source.options;
  if (fortran) words.insert(words.end(), {"-g", "-O0", "-emit-llvm", "-c", "-module-dir", modules_beside(bitcode)});
  else
    words.insert(words.end(), {"-g", "-O1", "-Xclang", "-disable-llvm-passes", "-fno-discard-value-names", "-emit-llvm",
                               "-c", "-w", "-D_FORTIFY_SOURCE=0"});
  if (!fortran)  // what other compilers only warn of, old programs are full of
    for (const char* habit :
         {"-Wno-error=implicit-function-declaration", "-Wno-error=implicit-int", "-Wno-error=int-conversion",
          "-Wno-error=incompatible-function-pointer-types", "-Wno-error=return-mismatch", "-Wno-register",
          "-Wno-c++11-narrowing", "-Wno-error=reserved-user-defined-literal"})
      words.emplace_back(habit);
  words.insert(words.end(), options.begin(), options.end());
  if (!fortran)
    words.insert(words.end(),
                 {"-idirafter", openmp_headers(bitcode.parent_path().string()), "-MD", "-MF", bitcode.string() + ".d"});
  else if (const std::string folder = openmp_fortran(compiler); !folder.empty() && asks_for_openmp(options))
    words.push_back("-I" + folder);
  words.insert(words.end(), {source.path, "-o", bitcode.string()});
  return words;
}

// The files a Makefile rule names behind its colon.
std::vector<std::string> dependencies(const std::string& rule) {
  std::vector<std::string> files;
  std::istringstream words(rule.substr(std::min(rule.size(), rule.find(':') + 1)));
  for (std::string word; words >> word;)
    if (word != "\\") files.push_back(word);
  return files;
}

// Whether every file that went into it is as it was.
bool still_true(const fs::path& bitcode) {
  const auto list = contents(bitcode.string() + ".seen");
  if (!list || !fs::exists(bitcode)) return false;
  std::istringstream lines(*list);
  for (std::string hash, path; lines >> hash && std::getline(lines >> std::ws, path);) {
    const auto text = contents(path);
    if (!text || digest(*text) != hash) return false;
  }
  return true;
}

void remember(const SourceFile& source, const fs::path& bitcode) {
  std::vector<std::string> files = {source.path};
  if (const auto rule = contents(bitcode.string() + ".d")) files = dependencies(*rule);
  if (language_of(source.path) == Language::kFortran)
    for (std::size_t i = 0; i < files.size(); ++i)
      for (std::string& more : included_files(source, contents(files[i]).value_or("")))
        if (std::ranges::find(files, more) == files.end()) files.push_back(std::move(more));
  std::ofstream out(bitcode.string() + ".seen");
  for (const std::string& file : files) {
    const fs::path path =
        fs::path(file).is_absolute() || source.directory.empty() ? fs::path(file) : fs::path(source.directory) / file;
    if (const auto text = contents(path.string())) out << digest(*text) << ' ' << path.string() << '\n';
  }
}

std::string first_error(const std::string& said) {
  std::istringstream lines(said);
  std::string line, first;
  while (std::getline(lines, line)) {
    if (first.empty()) first = line;
    if (line.find(": error:") != std::string::npos) return line;
    if (line.find("error") != std::string::npos && first.find("error") == std::string::npos) first = line;
  }
  return first;
}

}  // namespace

bool includes(const std::string& bitcode, std::string_view header) {
  std::istringstream lines(contents(bitcode + ".seen").value_or(""));
  const std::string end = "/" + std::string(header);
  for (std::string line; std::getline(lines, line);)
    if (line.ends_with(end)) return true;
  return false;
}

// Under another name first: somebody else may be reading.
std::string kept_text(const std::string& cache, const std::string& name, const std::string& text) {
  const fs::path path = fs::path(cache) / name;
  if (contents(path.string()) == text) return path.string();
  std::error_code error;
  fs::create_directories(cache, error);
  const fs::path fresh =
      path.string() + "." + std::to_string(fs::file_time_type::clock::now().time_since_epoch().count());
  std::ofstream(fresh, std::ios::binary) << text;
  fs::rename(fresh, path, error);
  return path.string();
}

std::string default_cache() {
  if (const char* told = std::getenv("TRIKAL_CACHE")) return told;
  if (const char* base = std::getenv("XDG_CACHE_HOME")) return std::string(base) + "/trikal/predict";
  const char* home = std::getenv("HOME");
  return std::string(home != nullptr ? home : "/tmp") + "/.cache/trikal/predict";
}

std::string digest(const std::string& text) {
  llvm::SHA1 hash;
  hash.update(llvm::StringRef(text));
  return llvm::toHex(hash.final(), true);
}

Compiling start_compiling(const SourceFile& source, const std::string& cache) {
  Compiling run{.source = source};
  const auto text = contents(source.path);
  if (!text) return run.made.problem = source.path + ": cannot be read", run;
  const std::string compiler = find_compiler(source.path);
  if (compiler.empty()) {
    run.made.problem =
        source.path + ": no compiler for it here (clang-19, for Fortran flang-new-19 of the package flang-19)";
    return run;
  }
  std::error_code error;
  fs::create_directories(cache, error);
  std::string key = fs::absolute(source.path).string() + '\n' + source.directory + '\n' + *text;
  for (const std::string& word : command(source, compiler, {})) key += '\n' + word;
  const fs::path bitcode = fs::path(cache) / (digest(key) + ".bc");
  const bool fortran = language_of(source.path) == Language::kFortran;
  run.made = {bitcode.string(), {}, fortran ? modules_beside(bitcode) : ""};
  if (still_true(bitcode)) return run;
  if (fortran) fs::create_directories(run.made.modules, error);

  const std::vector<std::string> words = command(source, compiler, bitcode);
  const std::vector<llvm::StringRef> arguments(words.begin(), words.end());
  const std::string said = said_beside(run.made);
  const std::optional<llvm::StringRef> streams[] = {llvm::StringRef(""), llvm::StringRef(""), llvm::StringRef(said)};
  const fs::path here = fs::current_path(error);
  if (!source.directory.empty()) fs::current_path(source.directory, error);
  bool failed = false;
  const auto process = llvm::sys::ExecuteNoWait(compiler, arguments, std::nullopt, streams, 0, &run.failure, &failed);
  run.started = true;
  run.process = failed ? 0 : process.Pid;
  fs::current_path(here, error);
  return run;
}

Compiled finish_compiling(Compiling run) {
  if (!run.started) return run.made;
  llvm::sys::ProcessInfo process;
  process.Pid = run.process;
  const int code = run.process != 0 ? llvm::sys::Wait(process, std::nullopt, &run.failure).ReturnCode : -1;
  std::error_code error;
  const std::string told = contents(said_beside(run.made)).value_or("");
  fs::remove(said_beside(run.made), error);
  if (code != 0) {
    fs::remove(run.made.bitcode, error);
    const std::string why = told.empty() ? run.source.path + ": " + run.failure : first_error(told);
    if (language_of(run.source.path) != Language::kFortran || !asks_for_openmp(run.source.options)) return {{}, why};
    run.source.options = without_openmp(run.source.options);  // flang does not know all of OpenMP
    Compiled serial = compile(run.source, fs::path(run.made.bitcode).parent_path().string());
    if (!serial.bitcode.empty()) serial.problem = why + "; it is predicted as if it had no OpenMP";
    return serial;
  }
  remember(run.source, run.made.bitcode);
  return run.made;
}

Compiled compile(const SourceFile& source, const std::string& cache) {
  return finish_compiling(start_compiling(source, cache));
}

}  // namespace trikal::predict
