#include "report/json/typescript.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace trikal::report {

bool TypeScript::is_new(std::string_view name) {
  if (std::ranges::find(declared_, name) != declared_.end()) return false;
  declared_.push_back(name);
  return true;
}

void TypeScript::declare_interface(std::string_view name, std::string_view meaning, const Members& members) {
  text_ += "\n";
  if (!meaning.empty()) text_ += fmt::format("// {}\n", meaning);
  text_ += fmt::format("export interface {}{}{} {{\n", name, members.bases.empty() ? "" : " extends ", members.bases);
  for (const Member& member : members.fields)
    text_ += fmt::format("  {}{}: {};{}{}\n", member.name, member.optional ? "?" : "", member.type,
                         member.meaning.empty() ? "" : " // ", member.meaning);
  text_ += "}\n";
}

void TypeScript::declare_tuple(std::string_view name, const Members& members) {
  std::string parts;
  for (const Member& member : members.fields)
    parts += fmt::format("{}{}: {}", parts.empty() ? "" : ", ", member.name, member.type);
  text_ += fmt::format("\nexport type {} = [{}];\n", name, parts);
}

void TypeScript::declare_union(std::string_view name, const std::vector<std::string_view>& values) {
  text_ += fmt::format("\nexport type {} = ", name);
  for (std::size_t i = 0; i < values.size(); ++i) text_ += fmt::format("{}\"{}\"", i == 0 ? "" : " | ", values[i]);
  text_ += ";\n";
}

}  // namespace trikal::report
