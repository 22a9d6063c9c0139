#pragma once
// What a compiler's command line makes of what: sources, objects and libraries in, an object or a program out. Needs no LLVM,
// because `trikal cc` runs once for every file of a build.

#include <string>
#include <vector>

namespace trikal::predict {

inline constexpr const char* kRecordFile = "commands.jsonl";  // in the folder of --record: one command a line
inline constexpr const char* kRecordFolder = ".trikal";

struct CompileCommand {
  std::string compiler;
  std::string directory;  // where it was run
  std::vector<std::string> arguments;  // behind the compiler
  std::vector<std::string> sources;
  std::vector<std::string> inputs;  // objects, archives, libraries (-lfoo) and where they are looked for (-Lfolder)
  std::string output;  // as the compiler would name it
  bool links = false;  // a program, or a library that programs load
  bool loadable = false;  // the latter

  [[nodiscard]] bool makes_something() const { return !sources.empty() || (links && !inputs.empty()); }
};

// With the words of the files that are named as @file.
[[nodiscard]] std::vector<std::string> with_files(const std::vector<std::string>& words, const std::string& directory);

// Preprocessing, listing of dependencies and questions (--version) make nothing.
[[nodiscard]] CompileCommand understand(std::vector<std::string> arguments, std::string directory);

// Names of the files in an archive (ar), without folders; none where it is no archive.
[[nodiscard]] std::vector<std::string> archive_members(const std::string& path);

}  // namespace trikal::predict
