#include "report/text/value_table.hpp"

#include <algorithm>

namespace trikal::report {
namespace {

// Characters, not bytes.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

}  // namespace

void write_value_table(Sink& out, const std::vector<std::string>& names, const std::vector<bool>& numbers,
                       const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const std::string& name : names) widths.push_back(width_of(out.field(name)));
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width_of(out.field(row[i])));
  }
  const auto line = [&](const std::vector<std::string>& cells) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const std::string cell = out.field(cells[i]);
      const std::string space(widths[i] - width_of(cell), ' ');
      const bool last = i + 1 == cells.size();
      out.put((i == 0 ? "" : "  ") + (numbers[i] ? space + cell : last ? cell : cell + space));
    }
    out.put("\n");
  };
  line(names);
  for (const auto& row : rows) line(row);
}

}  // namespace trikal::report
