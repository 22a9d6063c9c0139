#include "predict/source/command.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>

#include "predict/source/compile.hpp"

namespace trikal::predict {
namespace {

namespace fs = std::filesystem;

// Options whose value is the next word.
constexpr std::string_view kWithValue[] = {"-o",       "-I",       "-D",       "-U",          "-L",
                                           "-l",       "-include", "-isystem", "-iquote",     "-idirafter",
                                           "-imacros", "-MF",      "-MT",      "-MQ",         "-x",
                                           "-T",       "-u",       "-z",       "-J",          "-e",
                                           "-arch",    "-target",  "-A",       "-G",          "-isysroot",
                                           "-iprefix", "--param",  "-Xlinker", "-Xassembler", "-Xpreprocessor",
                                           "-Xclang"};
constexpr std::string_view kMakesNothing[] = {"-E",        "-S",   "-M",           "-MM",          "-fsyntax-only",
                                              "--version", "-###", "-dumpversion", "-dumpmachine", "-v"};
constexpr std::string_view kLinked[] = {".o", ".obj", ".lo", ".a", ".so"};

bool is_linked(std::string_view word) {
  return word.find(".so.") != std::string_view::npos ||
         std::ranges::any_of(kLinked, [&](std::string_view end) { return word.ends_with(end); });
}

std::string object_of(const std::string& source) { return fs::path(source).stem().string() + ".o"; }

}  // namespace

std::vector<std::string> with_files(const std::vector<std::string>& words, const std::string& directory) {
  std::vector<std::string> all;
  for (const std::string& word : words) {
    std::ifstream file(word.starts_with("@") ? (fs::path(directory) / word.substr(1)).string() : std::string());
    if (!word.starts_with("@") || !file) {
      all.push_back(word);
      continue;
    }
    for (std::string one; file >> one;) {
      std::erase(one, '"');
      all.push_back(one);
    }
  }
  return all;
}

CompileCommand understand(std::vector<std::string> arguments, std::string directory) {
  CompileCommand command;
  const std::vector<std::string> words = with_files(arguments, directory);
  command.arguments = std::move(arguments), command.directory = std::move(directory);
  bool compiles_only = false, nothing = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    const bool value = std::ranges::find(kWithValue, word) != std::end(kWithValue) && i + 1 < words.size();
    if (word == "-c") compiles_only = true;
    else if (word == "-shared") command.loadable = true;
    else if (std::ranges::find(kMakesNothing, word) != std::end(kMakesNothing)) nothing = nothing || word != "-v";
    else if (word == "-o" && value) command.output = words[i + 1];
    else if (word.starts_with("-L") || word.starts_with("-l"))
      command.inputs.push_back(value ? word + words[i + 1] : word);
    else if (!word.starts_with("-") && language_of(word) != Language::kNone) command.sources.push_back(word);
    else if (!word.starts_with("-") && is_linked(word)) command.inputs.push_back(word);
    if (value) ++i;
  }
  if (nothing) command.sources.clear(), command.inputs.clear();
  command.links = !compiles_only && !nothing;
  if (command.output.empty() && command.links) command.output = "a.out";
  if (command.output.empty() && command.sources.size() == 1) command.output = object_of(command.sources[0]);
  return command;
}

std::vector<std::string> archive_members(const std::string& path) {
  constexpr std::size_t kHeader = 60, kSizeAt = 48, kSizeLong = 10;
  std::ifstream file(path, std::ios::binary);
  std::string mark(8, '\0');
  file.read(mark.data(), static_cast<std::streamsize>(mark.size()));
  const bool thin = mark == "!<thin>\n";
  if (!file || (mark != "!<arch>\n" && !thin)) return {};
  std::vector<std::string> names;
  std::string header(kHeader, '\0'), long_names;
  while (file.read(header.data(), kHeader)) {
    std::uint64_t size = 0;
    std::from_chars(header.data() + kSizeAt, header.data() + kSizeAt + kSizeLong, size);
    std::string name = header.substr(0, 16);
    name.erase(name.find_last_not_of(' ') + 1);
    const bool table = name == "/" || name == "/SYM64/", names_table = name == "//";
    if (names_table && size < (std::uint64_t{1} << 24)) {
      long_names.resize(size);
      file.read(long_names.data(), static_cast<std::streamsize>(size));
    } else if (!thin || table) {
      file.seekg(static_cast<std::streamoff>(size), std::ios::cur);
    }
    if (size % 2 == 1 && (!thin || table || names_table)) file.seekg(1, std::ios::cur);
    if (table || names_table) continue;
    if (name.size() > 1 && name[0] == '/') {
      std::size_t at = long_names.size();
      std::from_chars(name.data() + 1, name.data() + name.size(), at);
      name = at < long_names.size() ? long_names.substr(at, long_names.find('\n', at) - at) : "";
    }
    if (name.ends_with('/')) name.pop_back();
    if (!name.empty()) names.push_back(fs::path(name).filename().string());
  }
  return names;
}

}  // namespace trikal::predict
