#include "analyze/dataset/call_sites.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace trikal::analyze {
namespace {

std::string_view last_part(std::string_view path) { return path.substr(path.rfind('/') + 1); }

auto key_of(const SiteUse& site) {
  return std::tie(site.file, site.object, site.offset, site.operation, site.interface, site.source, site.line,
                  site.function);
}

// Who is further out sees the time of those below, too.
int depth_of(const SiteUse& site) { return site.interface == "MPI-IO" ? 0 : site.interface == "STDIO" ? 1 : 2; }

bool ends_with_word(const SiteUse& site, std::string_view word) {
  return std::string_view(site.operation).ends_with(word);
}

}  // namespace

std::string site_text(const SiteUse& site) {
  const std::string inside = site.function.empty() ? "" : fmt::format(" ({})", site.function);
  if (site.line > 0) return fmt::format("{}:{}{}", last_part(site.source), site.line, inside);
  if (site.object.starts_with('<')) return site.object;
  return fmt::format("{}+{:#x}{}", last_part(site.object), site.offset, inside);
}

std::string through_text(const SiteUse& site) {
  constexpr std::string_view kBefore = " < ";
  const std::size_t last = site.through.rfind(kBefore);
  const std::size_t from = last == std::string::npos ? 0 : last + kBefore.size();
  return site.through.empty() ? "" : " through " + site.through.substr(from);
}

bool is_of(SiteKind kind, const SiteUse& site) {
  const bool reads = ends_with_word(site, "read"), writes = ends_with_word(site, "write");
  switch (kind) {
    case SiteKind::kAny: return true;
    case SiteKind::kReads: return reads;
    case SiteKind::kWrites: return writes;
    case SiteKind::kData: return reads || writes;
    case SiteKind::kOpens: return ends_with_word(site, "open");
    case SiteKind::kSeeks: return ends_with_word(site, "seek");
    case SiteKind::kStats: return ends_with_word(site, "stat");
    case SiteKind::kSyncs: return ends_with_word(site, "sync");
    case SiteKind::kFlushes: return ends_with_word(site, "flush");
    case SiteKind::kMaps: return ends_with_word(site, "mmap");
  }
  return false;
}

std::vector<SiteUse> sum_sites(std::vector<SiteUse> rows) {
  std::ranges::stable_sort(rows, [](const SiteUse& a, const SiteUse& b) { return key_of(a) < key_of(b); });
  std::vector<SiteUse> sums;
  for (SiteUse& row : rows) {
    if (sums.empty() || key_of(sums.back()) != key_of(row)) {
      sums.push_back(std::move(row));
      continue;
    }
    SiteUse& sum = sums.back();
    sum.count += row.count, sum.bytes += row.bytes, sum.ranks += row.ranks, sum.seconds += row.seconds;
  }
  std::ranges::stable_sort(sums, std::greater<>(), &SiteUse::seconds);
  return sums;
}

std::vector<SiteUse> worst_sites(std::span<const SiteUse> sites, std::uint64_t file, SiteKind kind, std::size_t most) {
  std::vector<SiteUse> worst;
  for (const SiteUse& site : sites) {
    if (site.file == file && is_of(kind, site)) worst.push_back(site);
  }
  const auto outermost = std::ranges::min_element(worst, {}, depth_of);
  if (outermost == worst.end()) return worst;
  std::erase_if(worst, [depth = depth_of(*outermost)](const SiteUse& site) { return depth_of(site) != depth; });
  if (worst.size() > most) worst.resize(most);
  return worst;
}

}  // namespace trikal::analyze
