#include "analyze/dataset/static_findings.hpp"

#include <algorithm>
#include <cmath>

namespace trikal::analyze {
namespace {

constexpr double kOften = 10;        // repeated: more than a start and an end
constexpr double kTiny = 4096;       // bytes of an access that is hardly worth a call
constexpr double kManyTiny = 1000;   // of those
constexpr double kLarge = 1 << 20;   // bytes of an access that is

// The innermost loop around a line; the line itself where its function has none there.
std::uint32_t loop_around(const Prediction& prediction, std::uint32_t block) {
  for (std::uint32_t at = block; prediction.blocks[at].parent != at; at = prediction.blocks[at].parent)
    if (prediction.blocks[at].kind == BlockKind::kLoop) return at;
  return block;
}

struct Judgement {
  std::string_view code, fix;
  double seconds = 0;
};

Judgement judge(const PredictedAccess& access, double like_it, const Costs& costs) {
  const PredictedUse& use = access.use;
  const double mean = use.count > 0 ? use.bytes / use.count : 0;
  switch (access.operation) {
    case Operation::kSync:
    case Operation::kDataSync:
    case Operation::kMpiSync:
      if (use.count < kOften) return {};
      return {"sync-in-loop", "Make it durable once, behind the loop, or every so many records.",
              (use.count - 1) * costs.sync};
    case Operation::kFlush:
      if (use.count < kOften) return {};
      return {"flush-in-loop", "Leave it to the buffer; flush behind the loop.", (use.count - 1) * costs.operation};
    case Operation::kOpen:
    case Operation::kStreamOpen:
      if (use.count < kOften || like_it > 0) return {};
      return {"open-in-loop", "Open the file once before the loop and close it behind.", (use.count - 1) * costs.open};
    case Operation::kRead:
    case Operation::kWrite:
    case Operation::kMpiRead:
    case Operation::kMpiWrite: {
      if (use.count < kManyTiny || mean >= kTiny) return {};
      const double needed = std::ceil(use.bytes / kLarge);
      return {reads(access.operation) ? "tiny-reads-in-loop" : "tiny-writes-in-loop",
              "Collect the data in a buffer of a megabyte and move that.", (use.count - needed) * costs.operation};
    }
    default: return {};
  }
}

}  // namespace

std::vector<StaticFinding> find_static(const Prediction& prediction, const Costs& costs) {
  std::vector<StaticFinding> found;
  for (const PredictedAccess& access : prediction.accesses) {
    const PredictedFile& file = prediction.files[access.file];
    const Judgement judgement = judge(access, file.like_it, costs);
    if (judgement.code.empty()) continue;
    const PredictedSite& site = prediction.sites[access.site];
    found.push_back({judgement.code, site.source, site.line, loop_around(prediction, site.block), file.name,
                     access.use.count, judgement.seconds, judgement.fix});
  }
  std::ranges::stable_sort(found, std::greater{}, &StaticFinding::seconds);
  return found;
}

}  // namespace trikal::analyze
