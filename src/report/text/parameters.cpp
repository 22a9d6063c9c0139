#include "report/text/parameters.hpp"

#include <fmt/format.h>

namespace trikal::report {
namespace {

constexpr std::string_view kMeanings[] = {"iterations of loops with I/O",
                                          "operations",
                                          "bytes",
                                          "synchronous operations",
                                          "operations under a branch",
                                          "binary operations",
                                          "flushes",
                                          "bytes of files opened",
                                          "files",
                                          "bytes of memory taken",
                                          "calls deep",
                                          "random accesses",
                                          "accesses below 4 KiB",
                                          "ranks",
                                          "accesses worth having at once"};

// Only their name where they are code: the tree above shows where they stand.
std::string name_of_block(const analyze::CodeBlock& block) {
  if (!block.name.empty()) return fmt::format("{} {}", name_of(block.kind), block.name);
  return fmt::format("{} {}", name_of(block.kind), block.line);
}

}  // namespace

void write_parameters(Sink& out, const analyze::Prediction& prediction) {
  out.put("\n");
  for (std::size_t i = 0; i < std::size(kMeanings); ++i) out.put(fmt::format("P{:<3} {}\n", i + 1, kMeanings[i]));
  for (const analyze::CodeBlock& block : prediction.blocks) {
    out.put(fmt::format("\n{}: {}, score {:.4f}\n ", name_of_block(block), analyze::intensity_of(block.score),
                        block.score));
    for (std::size_t i = 0; i < block.parameters.size(); ++i)
      out.put(fmt::format(" P{}={:.10g}", i + 1, block.parameters[i]));
    out.put("\n ");
    for (std::size_t i = 0; i < block.variables.size(); ++i)
      out.put(fmt::format(" X{}={:.4g}", i + 1, block.variables[i]));
    out.put("\n");
  }
}

}  // namespace trikal::report
