#pragma once
// Settings of Darshan that a user has made and that this runtime does not follow. Silence would pass for obedience.

#include <string>
#include <string_view>
#include <vector>

namespace trikal::cli {

// Variables of the environment, as "NAME=value" lines, that mean something to Darshan and nothing here.
[[nodiscard]] std::vector<std::string> idle_variables(const char* const* environment);
// Directives of a configuration file without effect, each once.
[[nodiscard]] std::vector<std::string> idle_directives(std::string_view configuration);
// What is wrong with regular expressions of a configuration file, a sentence each.
[[nodiscard]] std::vector<std::string> refused_expressions(std::string_view configuration);

// One sentence for each thing of this process's environment, and of the file it names, that has no effect.
[[nodiscard]] std::vector<std::string> idle_settings();

}  // namespace trikal::cli
