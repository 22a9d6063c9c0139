#pragma once
// Files made from the table of verbs: man pages, the manual, completion for shells. `trikal generate` writes them;
// the build calls it and installs what it wrote.

#include <string>
#include <string_view>
#include <vector>

namespace trikal::cli {

struct Document {
  std::string file;  // its name in the folder such things belong to
  std::string text;
};

[[nodiscard]] std::vector<Document> man_pages();
[[nodiscard]] std::vector<Document> markdown_manual();
[[nodiscard]] std::vector<Document> bash_completion();
[[nodiscard]] std::vector<Document> zsh_completion();
[[nodiscard]] std::vector<Document> fish_completion();
// Everything `trikal explain` knows, a name a line; the completions ask for it.
[[nodiscard]] std::vector<Document> explained_names();
[[nodiscard]] std::vector<Document> module_names();
// docs/rules.md
[[nodiscard]] std::vector<Document> rules_table();
// web/src/data.ts and prediction_data.ts
[[nodiscard]] std::vector<Document> page_types();

// Text as it has to stand in each of these languages.
[[nodiscard]] std::string roff(std::string_view text);
[[nodiscard]] std::string in_single_quotes(std::string_view text);       // bash, zsh
[[nodiscard]] std::string in_fish_quotes(std::string_view text);
[[nodiscard]] std::string zsh_description(std::string_view text);        // inside [...] of _arguments

// What is true of the program and not of one verb.
struct EnvironmentVariable {
  std::string_view name, meaning;
};
inline constexpr EnvironmentVariable kEnvironment[] = {
    {"TRIKAL_NO_PROGRESS", "set to anything: no progress line on the terminal"},
    {"TRIKAL_POLICY",
     "a file that mutes rules or changes their limits, if --policy names none; empty: not even the "
     "system's /etc/trikal/policy"},
    {"NO_COLOR", "set to anything: no colours on terminals"},
    {"COLUMNS", "where text wraps if it does not go to a terminal: 40 to 160 (default: 100)"},
    {"TZ", "the time zone of dates in text"},
};
inline constexpr std::string_view kOtherNames =
    "Called as darshan-parser, darshan-dxt-parser, darshan-diff, darshan-convert, darshan-merge, "
    "darshan-analyzer, darshan-job-summary or darshan-summary-per-file (by a symbolic link, "
    "say) it takes the options of that program, prints what that program prints and exits with 0, or with 255 if "
    "anything went wrong; darshan-convert and darshan-merge exit with 1 if the command line makes no sense.";

}  // namespace trikal::cli
