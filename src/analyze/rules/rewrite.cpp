#include "analyze/rules/flows.hpp"

namespace trikal::analyze {
namespace {

void look_for_rewrite(const Scene& scene, std::vector<Finding>& out) { look_for_repeats(scene, kWrites, out); }

}  // namespace

const Rule kRewrite = {
    "rewrite",
    "the same bytes written again",
    "Only the last version stays; all others were work for nothing.",
    "Build the final content in memory and write it once, or append instead of starting over; a state that "
    "is saved whole: save it less often.",
    "time of writing, for the share of bytes beyond the file's length; with opening and closing where each "
    "open writes all of the file",
    look_for_rewrite,
    kRepeatLimits};

}  // namespace trikal::analyze
