#include "cli/colour_option.hpp"

#include "cli/verb.hpp"
#include "report/screen.hpp"

namespace trikal::cli {
namespace {

std::string take(const std::string& text) {
  const auto wish = report::parse_colour(text);
  if (!wish) return "not one of auto, always, never";
  report::set_colour(*wish);
  return "";
}

}  // namespace

void declare_colour(CommandLine& app) {
  static std::string wish;
  app.add_option("--color", wish, "colours: auto uses them on a terminal, unless NO_COLOR is set")
      ->type_name("auto|always|never")
      ->check(take)
      ->default_str("auto")
      ->group(kOtherGroup);
}

}  // namespace trikal::cli
