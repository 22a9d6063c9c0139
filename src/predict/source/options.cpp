#include "predict/source/options.hpp"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <llvm/Support/Allocator.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Program.h>
#include <llvm/Support/StringSaver.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <string_view>

#include "predict/source/command.hpp"
#include "predict/source/compile.hpp"
#include "predict/source/openmp.hpp"

namespace trikal::predict {
namespace {

// Options whose value is the next word, and beginnings of words that are options by themselves.
constexpr std::string_view kPairs[] = {"-I",         "-D",       "-U", "-include",  "-isystem", "-iquote",
                                       "-idirafter", "-imacros", "-J", "-isysroot", "-x"};
constexpr std::string_view kBeginnings[] = {
    "-I",     "-D",    "-U",    "-std=", "--std=", "-isystem", "-iquote",  "-f",      "-J",     "-msse",     "-mavx",
    "-mssse", "-mfma", "-mbmi", "-maes", "-mf16c", "-mpopcnt", "-mpclmul", "-march=", "-mcpu=", "-idirafter"};
constexpr std::string_view kWords[] = {"-pthread", "-ansi", "-nostdinc", "-nostdinc++", "-m32", "-m64", "-trigraphs"};
// Of those, what concerns the code that is made, not what it means.
constexpr std::string_view kUseless[] = {
    "-flto",    "-foffload", "-fopenacc",       "-fsanitize", "-fprofile",     "-fdiagnostics",  "-ffat-lto",
    "-fuse-ld", "-fplugin",  "-fcf-protection", "-fstack",    "-ffile-prefix", "-fdebug-prefix", "-fmacro-prefix"};
constexpr std::string_view kSkipped[] = {"-o", "-MF", "-MT", "-MQ"};  // with the next word

template <class List>
bool begins_with_one(std::string_view word, const List& list) {
  return std::ranges::any_of(list, [&](std::string_view one) { return word.starts_with(one); });
}
template <class List>
bool is_one(std::string_view word, const List& list) {
  return std::ranges::find(list, word) != std::end(list);
}

std::string last_name(const std::string& path) { return std::filesystem::path(path).filename().string(); }

// Compilers that are others with options of a library: they say which if asked.
bool is_wrapper(const std::string& name) {
  return name.starts_with("mpi") || name.starts_with("h5") || name.starts_with("nc");
}

std::string said_by(const std::string& compiler, const char* question) {
  const auto found = llvm::sys::findProgramByName(compiler);
  llvm::SmallString<128> path;
  if (!found || llvm::sys::fs::createTemporaryFile("trikal", "said", path)) return {};
  const std::optional<llvm::StringRef> streams[] = {llvm::StringRef(""), path.str(), llvm::StringRef("")};
  const llvm::StringRef words[] = {*found, question};
  std::string text;
  if (llvm::sys::ExecuteAndWait(*found, words, std::nullopt, streams, 10) == 0)
    if (auto buffer = llvm::MemoryBuffer::getFile(path)) text = (*buffer)->getBuffer().str();
  llvm::sys::fs::remove(path);
  return text;
}

// Folders of headers that such a compiler adds. Asked once.
const std::vector<std::string>& added_by(const std::string& compiler) {
  static std::map<std::string, std::vector<std::string>> known;
  const auto [entry, is_new] = known.try_emplace(compiler);
  if (is_new)
    for (const std::string& word : words_of(said_by(compiler, "-show")))
      if (word.starts_with("-I") || word.starts_with("-D") || word.starts_with("-isystem"))
        if (word.find("FORTIFY_SOURCE") == std::string::npos) entry->second.push_back(word);
  return entry->second;
}

bool add_missing(std::vector<std::string>& options, const std::vector<std::string>& more) {
  bool added = false;
  for (const std::string& one : more) {
    if (std::ranges::find(options, one) != options.end()) continue;
    options.push_back(one);
    added = true;
  }
  return added;
}

// What stands between quotes behind `mark`.
std::string quoted(const std::string& text, std::string_view mark) {
  const std::size_t at = text.find(mark);
  const std::size_t begin = at == std::string::npos ? at : text.find('\'', at);
  const std::size_t end = begin == std::string::npos ? begin : text.find('\'', begin + 1);
  return end == std::string::npos ? "" : text.substr(begin + 1, end - begin - 1);
}

}  // namespace

std::vector<std::string> words_of(const std::string& command) {
  llvm::BumpPtrAllocator memory;
  llvm::StringSaver saver(memory);
  llvm::SmallVector<const char*> pieces;
  llvm::cl::TokenizeGNUCommandLine(command, saver, pieces);
  return {pieces.begin(), pieces.end()};
}

std::vector<std::string> meaningful(const std::string& compiler, const std::vector<std::string>& arguments,
                                    const std::string& directory, const std::string& source) {
  std::vector<std::string> kept;
  const std::vector<std::string> words = with_files(arguments, directory);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (is_one(word, kSkipped)) {
      ++i;
    } else if (is_openmp(word)) {
      kept.emplace_back("-fopenmp");  // as other compilers call it
    } else if (is_one(word, kPairs) && i + 1 < words.size()) {
      kept.push_back(word);
      kept.push_back(words[++i]);
    } else if ((begins_with_one(word, kBeginnings) || is_one(word, kWords)) && !begins_with_one(word, kUseless) &&
               word.find("FORTIFY_SOURCE") == std::string::npos) {
      kept.push_back(word);
    }
  }
  const std::string name = last_name(compiler);
  const bool takes_cpp = name.find("++") != std::string::npos || name.find("cxx") != std::string::npos;
  if (takes_cpp && language_of(source) == Language::kC && !is_one("-x", kept)) kept.insert(kept.end(), {"-x", "c++"});
  if (is_wrapper(name)) add_missing(kept, added_by(compiler));
  return kept;
}

bool mend(std::vector<std::string>& options, const std::string& problem, const std::string& source) {
  const std::string unknown = quoted(problem, "unknown argument");
  if (!unknown.empty()) return std::erase(options, unknown) > 0;
  if (language_of(source) == Language::kFortran) {
    if (problem.find("'mpif.h' was not found") == std::string::npos) return false;
    return add_missing(options, added_by("mpifort")) || add_missing(options, added_by("mpif90"));
  }
  if (problem.find("file not found") == std::string::npos) return false;
  const std::string header = last_name(quoted(problem, "error:"));
  const bool cpp = language_of(source) == Language::kCpp;
  if (header == "mpi.h" || header == "pnetcdf.h") return add_missing(options, added_by(cpp ? "mpicxx" : "mpicc"));
  const bool parallel =
      std::ranges::any_of(options, [](const std::string& one) { return one.find("mpi") != std::string::npos; });
  if (header == "hdf5.h" || header == "H5Cpp.h" || header == "hdf5_hl.h")
    return (parallel && add_missing(options, added_by("h5pcc"))) || add_missing(options, added_by("h5cc"));
  return false;
}

}  // namespace trikal::predict
