#pragma once
// Rows that somebody asked for, in columns.

#include <string>
#include <vector>

#include "report/sink.hpp"

namespace trikal::report {

// As wide as their longest cell; numbers to the right. `numbers`: which columns have nothing else.
void write_value_table(Sink& out, const std::vector<std::string>& names, const std::vector<bool>& numbers,
                       const std::vector<std::vector<std::string>>& rows);

}  // namespace trikal::report
