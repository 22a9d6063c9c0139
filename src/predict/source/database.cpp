#include "predict/source/database.hpp"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <llvm/Support/JSON.h>
#include <llvm/Support/MemoryBuffer.h>

#include <filesystem>

#include "predict/source/options.hpp"

namespace trikal::predict {
namespace {

namespace fs = std::filesystem;

struct Entry {
  SourceFile source;
  std::string output;  // may be empty: the format does not ask for it
};

std::vector<std::string> command_of(const llvm::json::Object& object) {
  const llvm::json::Array* arguments = object.getArray("arguments");
  if (arguments == nullptr) return words_of(object.getString("command").value_or("").str());
  std::vector<std::string> words;
  for (const llvm::json::Value& word : *arguments) words.push_back(word.getAsString().value_or("").str());
  return words;
}

std::string output_of(const llvm::json::Object& object, const std::vector<std::string>& words) {
  if (const auto told = object.getString("output")) return told->str();
  for (std::size_t i = 0; i + 1 < words.size(); ++i)
    if (words[i] == "-o") return words[i + 1];
  return {};
}

Entry entry_of(const llvm::json::Object& object) {
  Entry entry;
  entry.source.directory = object.getString("directory").value_or("").str();
  const fs::path file = object.getString("file").value_or("").str();
  entry.source.path = (file.is_absolute() ? file : fs::path(entry.source.directory) / file).lexically_normal().string();
  std::vector<std::string> words = command_of(object);
  const std::string compiler = words.empty() ? "" : words.front();
  if (!words.empty()) words.erase(words.begin());
  entry.output = output_of(object, words);
  entry.source.options = meaningful(compiler, words, entry.source.directory, entry.source.path);
  return entry;
}

// CMake keeps what belongs to a target in a folder of its name.
bool belongs_to(const Entry& entry, const std::string& program) {
  const std::string output = "/" + entry.output;
  return output.find("/" + program + ".dir/") != std::string::npos ||
         output.find("/" + program + ".p/") != std::string::npos;  // and Meson
}
bool is_named(const Entry& entry, const std::string& program) {
  const fs::path path = entry.source.path;
  return path.stem() == program || path.filename() == program || path == fs::path(program);
}

}  // namespace

std::vector<SourceFile> read_database(const std::string& folder, const std::string& program, std::string& problem) {
  const fs::path path = fs::is_directory(folder) ? fs::path(folder) / "compile_commands.json" : fs::path(folder);
  const auto text = llvm::MemoryBuffer::getFile(path.string());
  if (!text) return problem = path.string() + ": cannot be read", std::vector<SourceFile>{};
  auto parsed = llvm::json::parse((*text)->getBuffer());
  if (!parsed) {
    problem = path.string() + ": " + llvm::toString(parsed.takeError());
    return {};
  }
  std::vector<Entry> entries;
  if (const llvm::json::Array* list = parsed->getAsArray())
    for (const llvm::json::Value& one : *list)
      if (const llvm::json::Object* object = one.getAsObject()) entries.push_back(entry_of(*object));
  std::erase_if(entries, [](const Entry& one) { return language_of(one.source.path) == Language::kNone; });
  bool found = program.empty();
  for (const auto& is_meant : {belongs_to, is_named}) {
    for (Entry& one : entries) {
      one.source.as_needed = program.empty() || !is_meant(one, program);
      found = found || !one.source.as_needed;
    }
    if (found) break;
  }
  if (!found) problem = path.string() + ": neither a target nor a source is called " + program;
  std::vector<SourceFile> all;
  for (Entry& one : entries) all.push_back(std::move(one.source));
  return all;
}

}  // namespace trikal::predict
