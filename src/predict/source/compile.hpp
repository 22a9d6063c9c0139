#pragma once
// Source into LLVM's bitcode, by running clang (or flang), kept by content: the same source with the same options is
// compiled once.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace trikal::predict {

struct SourceFile {
  std::string path;
  std::vector<std::string> options;  // -I, -D, -std= ...
  std::string directory;             // where the options hold; empty: here
  bool as_needed = false;            // part of an archive, or of a build with several programs
};

struct Compiled {
  std::string bitcode;  // a file; empty where it failed
  std::string problem;  // what the compiler said, or why there is none
  std::string modules;  // a folder with the Fortran modules that are in it
};
[[nodiscard]] Compiled compile(const SourceFile& source, const std::string& cache);

// The same in two steps, so that several compilers can run at once. Two of the same source and options must not.
struct Compiling {
  SourceFile source;
  Compiled made;  // what it will be if nothing fails
  int process = 0;  // 0: it could not be started
  bool started = false;  // not where it was kept from before, or cannot be
  std::string failure{};
};
[[nodiscard]] Compiling start_compiling(const SourceFile& source, const std::string& cache);
[[nodiscard]] Compiled finish_compiling(Compiling run);

// Whether a header of this name went into the bitcode.
[[nodiscard]] bool includes(const std::string& bitcode, std::string_view header);
// A file of our own in the cache: the same text is written once.
[[nodiscard]] std::string kept_text(const std::string& cache, const std::string& name, const std::string& text);

// $TRIKAL_CACHE, or a folder in the user's cache.
[[nodiscard]] std::string default_cache();

// A name for a text: the same for the same text.
[[nodiscard]] std::string digest(const std::string& text);

enum class Language : std::uint8_t { kNone, kC, kCpp, kFortran };
[[nodiscard]] inline Language language_of(std::string_view path) {
  constexpr std::pair<std::string_view, Language> kEnds[] = {
      {".c", Language::kC},         {".cpp", Language::kCpp},     {".cc", Language::kCpp},
      {".cxx", Language::kCpp},     {".C", Language::kCpp},       {".c++", Language::kCpp},
      {".f90", Language::kFortran}, {".F90", Language::kFortran}, {".f", Language::kFortran},
      {".F", Language::kFortran},   {".f95", Language::kFortran}, {".f03", Language::kFortran},
      {".f08", Language::kFortran}, {".for", Language::kFortran}, {".ftn", Language::kFortran},
      {".F95", Language::kFortran}, {".F03", Language::kFortran}, {".F08", Language::kFortran},
  };
  for (const auto& [end, language] : kEnds)
    if (path.ends_with(end)) return language;
  return Language::kNone;
}

}  // namespace trikal::predict
