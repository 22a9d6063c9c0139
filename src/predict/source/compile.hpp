#pragma once
// Source into LLVM's bitcode, by running clang (or flang), kept by content: the same source with the same options is
// compiled once.

#include <string>
#include <vector>

namespace trikal::predict {

struct SourceFile {
  std::string path;
  std::vector<std::string> options;  // -I, -D, -std= ...
  std::string directory;             // where the options hold; empty: here
};

struct Compiled {
  std::string bitcode;  // a file; empty where it failed
  std::string problem;  // what the compiler said, or why there is none
};
[[nodiscard]] Compiled compile(const SourceFile& source, const std::string& cache);

// Sources of a compilation database (compile_commands.json in `folder`), with their options; a problem where there is none.
[[nodiscard]] std::vector<SourceFile> read_database(const std::string& folder, std::string& problem);

// $TRIKAL_CACHE, or a folder in the user's cache.
[[nodiscard]] std::string default_cache();

// Of the options of a compiler's command line those that change what the source means.
[[nodiscard]] std::vector<std::string> meaningful(const std::vector<std::string>& words);

[[nodiscard]] bool is_source(const std::string& path);

}  // namespace trikal::predict
