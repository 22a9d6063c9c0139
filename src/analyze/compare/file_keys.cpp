#include "analyze/compare/file_keys.hpp"

#include <optional>
#include <vector>

namespace trikal::analyze {
namespace {

struct Named {
  std::uint64_t id;
  std::string_view name;
};
using Names = std::vector<Named>;

// A suffix and whose it is; nobody's once two files have it.
using Owners = std::unordered_map<std::string_view, std::optional<std::uint64_t>>;

constexpr std::size_t kMostComponents = 64;

Names names_of(const log::NameTable& table) {
  Names names;
  names.reserve(table.entries().size());
  for (const auto& entry : table.entries()) {
    if (entry.length > 0) names.push_back({entry.id, table.text(entry)});
  }
  return names;
}

std::size_t most_components(const Names& names) {
  std::size_t most = 0;
  for (const Named& named : names) {
    while (most < kMostComponents && !last_components(named.name, most + 1).empty()) ++most;
  }
  return most;
}

Owners owners_of(const Names& names, std::size_t components) {
  Owners owners;
  for (const Named& named : names) {
    const std::string_view key = components == 0 ? named.name : last_components(named.name, components);
    if (key.empty()) continue;
    const auto [at, fresh] = owners.emplace(key, named.id);
    if (!fresh) at->second.reset();
  }
  return owners;
}

}  // namespace

std::string_view last_components(std::string_view path, std::size_t count) {
  std::size_t at = path.size();
  for (; count > 0; --count) {
    if (at == 0) return {};
    const std::size_t slash = path.rfind('/', at - 1);
    if (slash == std::string_view::npos) return count == 1 ? path : std::string_view();
    at = slash;
  }
  return path.substr(at + 1);
}

FileKeys::FileKeys(const log::NameTable& a, const log::NameTable& b) {
  Names left_a = names_of(a);
  Names left_b = names_of(b);
  // Round 0 takes whole names, then suffixes from the longest to the shortest.
  const std::size_t rounds = std::min(most_components(left_a), most_components(left_b));
  for (std::size_t round = 0; round <= rounds && !left_a.empty() && !left_b.empty(); ++round) {
    const std::size_t components = round == 0 ? 0 : rounds + 1 - round;
    const Owners in_a = owners_of(left_a, components);
    std::unordered_map<std::uint64_t, bool, KeyedHash> paired_a;
    for (const auto& [key, owner] : owners_of(left_b, components)) {
      const auto found = in_a.find(key);
      const auto match = found != in_a.end() ? found->second : std::nullopt;
      if (!owner || !match) continue;
      to_a_.emplace(*owner, *match);
      paired_a.emplace(*match, true);
    }
    std::erase_if(left_a, [&](const Named& named) { return paired_a.contains(named.id); });
    std::erase_if(left_b, [&](const Named& named) { return to_a_.contains(named.id); });
  }
  // A name without a counterpart must not meet another file of A that happens to have its id.
  for (const Named& named : left_b) to_a_.emplace(named.id, ~named.id);
}

}  // namespace trikal::analyze
