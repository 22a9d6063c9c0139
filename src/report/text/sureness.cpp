#include "report/text/sureness.hpp"

#include <fmt/format.h>

#include <cmath>

namespace trikal::report {
namespace {

std::string percent(double share) {
  const double all = 100 * share;
  return fmt::format("{:.{}f} %", all, all == std::floor(all) || all >= 99.95 ? 0 : 1);
}

std::string reasons(const analyze::Sureness& sure) {
  constexpr std::size_t kMost = 3;
  std::string why;
  for (std::size_t i = 0; i < sure.because.size() && i < kMost; ++i) why += (i == 0 ? "" : ", ") + sure.because[i];
  if (sure.because.size() > kMost) why += fmt::format(" and {} more", sure.because.size() - kMost);
  return why;
}

}  // namespace

std::vector<std::string> sureness_lines(const analyze::Sureness& sure) {
  if (sure.operations <= 0) return {};
  std::vector<std::string> lines;
  const std::string why = reasons(sure);
  if (sure.mostly_assumed()) lines.push_back("MOST OF THIS IS NOT KNOWN: it rests on " + why);
  lines.push_back(fmt::format("predicted; {} of operations exact, {} extrapolated, {} assumed{}{}", percent(sure.exact),
                              percent(sure.extrapolated), percent(sure.assumed), why.empty() ? "" : " because of ",
                              why));
  return lines;
}

}  // namespace trikal::report
