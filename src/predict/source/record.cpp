#include "predict/source/record.hpp"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <llvm/Support/JSON.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "predict/source/command.hpp"
#include "predict/source/options.hpp"

namespace trikal::predict {
namespace {

namespace fs = std::filesystem;

std::string at(const std::string& directory, const std::string& path) {
  return (fs::path(path).is_absolute() ? fs::path(path) : fs::path(directory) / path).lexically_normal().string();
}

std::vector<std::string> strings(const llvm::json::Object& object, llvm::StringRef key) {
  std::vector<std::string> all;
  if (const llvm::json::Array* list = object.getArray(key))
    for (const llvm::json::Value& one : *list) all.push_back(one.getAsString().value_or("").str());
  return all;
}

class Record {
 public:
  // Lines that are none are left out: a build that was cut off may have left half of one.
  explicit Record(const std::string& path) {
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
      auto parsed = llvm::json::parse(line);
      if (!parsed) {
        llvm::consumeError(parsed.takeError());
        continue;
      }
      if (const llvm::json::Object* object = parsed->getAsObject()) add(*object);
    }
  }

  [[nodiscard]] std::vector<std::string> programs() const {
    std::vector<std::string> names;
    for (const auto& [output, command] : links_)
      if (!command.loadable) names.push_back(output);
    return names;
  }

  std::vector<SourceFile> sources_of(const std::string& program) {
    std::vector<SourceFile> all;
    std::set<std::string> seen;
    collect(program, all, seen);
    return all;
  }

 private:
  void add(const llvm::json::Object& object) {
    CompileCommand command;
    command.compiler = object.getString("compiler").value_or("").str();
    command.directory = object.getString("directory").value_or("").str();
    command.arguments = strings(object, "arguments");
    command.inputs = strings(object, "inputs");
    command.sources = strings(object, "sources");
    command.links = object.getBoolean("links").value_or(false);
    command.loadable = object.getBoolean("loadable").value_or(false);
    const std::string output = object.getString("output").value_or("").str();
    if (command.links) {
      links_[at(command.directory, output)] = std::move(command);
      return;
    }
    for (const std::string& source : command.sources) {
      const std::string object_file = command.sources.size() == 1 ? output : fs::path(source).stem().string() + ".o";
      objects_[at(command.directory, object_file)] = file_of(command, source);
    }
  }

  static SourceFile file_of(const CompileCommand& command, const std::string& source) {
    return {at(command.directory, source), meaningful(command.compiler, command.arguments, command.directory, source),
            command.directory};
  }

  void collect(const std::string& output, std::vector<SourceFile>& all, std::set<std::string>& seen) {
    const auto link = links_.find(output);
    if (link == links_.end() || !seen.insert(output).second) return;
    const CompileCommand& command = link->second;
    for (const std::string& source : command.sources)
      if (seen.insert(at(command.directory, source)).second) all.push_back(file_of(command, source));
    std::vector<std::string> folders;
    for (const std::string& input : command.inputs)
      if (input.starts_with("-L")) folders.push_back(at(command.directory, input.substr(2)));
    for (const std::string& input : command.inputs) {
      if (input.starts_with("-L")) continue;
      if (!input.starts_with("-l")) take(at(command.directory, input), all, seen);
      else
        for (const std::string& folder : folders)
          for (const char* end : {".so", ".a"}) take(at(folder, "lib" + input.substr(2) + end), all, seen);
    }
  }

  // Of an archive, and of a library that is loaded, a program takes what it lacks.
  void take_library(const std::string& input, std::vector<SourceFile>& all, std::set<std::string>& seen) {
    const std::size_t before = all.size();
    if (input.ends_with(".a"))
      for (const std::string& member : archive_members(input)) take(object_named(member, input), all, seen);
    else collect(input, all, seen);
    for (std::size_t i = before; i < all.size(); ++i) all[i].as_needed = true;
  }

  void take(const std::string& input, std::vector<SourceFile>& all, std::set<std::string>& seen) {
    if (const auto object = objects_.find(input); object != objects_.end()) {
      if (seen.insert(object->second.path + '\n' + input).second) all.push_back(object->second);
    } else {
      take_library(input, all, seen);
    }
  }

  // Archives do not say which folder a file came from: one beside the archive is meant before one elsewhere.
  [[nodiscard]] std::string object_named(const std::string& name, const std::string& archive) const {
    std::string found = (fs::path(archive).parent_path() / name).string();
    if (objects_.contains(found)) return found;
    for (const auto& [object, source] : objects_)
      if (fs::path(object).filename() == name) found = object;
    return found;
  }

  std::map<std::string, SourceFile> objects_;
  std::map<std::string, CompileCommand> links_;
};

std::string listed(const std::vector<std::string>& programs) {
  std::string text;
  for (const std::string& one : programs) text += (text.empty() ? "" : ", ") + fs::path(one).filename().string();
  return text;
}

}  // namespace

std::string find_record(const std::string& folder) {
  std::error_code ignored;
  for (const fs::path& path : {fs::path(folder) / kRecordFile, fs::path(folder) / kRecordFolder / kRecordFile})
    if (fs::is_regular_file(path, ignored)) return path.string();
  return {};
}

RecordedProgram read_record(const std::string& path, const std::string& program, std::string& problem) {
  Record record(path);
  const std::vector<std::string> all = record.programs();
  std::vector<std::string> meant;
  for (const std::string& one : all)
    if (program.empty() || one == program || one.ends_with("/" + program)) meant.push_back(one);
  if (meant.size() == 1) {
    RecordedProgram found{meant[0], record.sources_of(meant[0])};
    if (found.sources.empty()) problem = path + ": no source of " + listed(meant) + " was recorded";
    return found;
  }
  if (all.empty()) problem = path + ": no program was linked while trikal cc recorded";
  else if (meant.empty()) problem = path + ": no program is called " + program + " (" + listed(all) + ")";
  else problem = path + ": several programs (" + listed(meant) + "); --program NAME picks one";
  return {};
}

}  // namespace trikal::predict
