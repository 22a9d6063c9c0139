#pragma once
// How tables and refusals become HTTP answers.

#include <string>
#include <string_view>

#include "serve/http/http.hpp"
#include "serve/parameters.hpp"
#include "store/store.hpp"

namespace trikal::serve {

inline constexpr int kBadRequest = 400, kNotAllowed = 401, kNotFound = 404, kWrongMethod = 405, kFailed = 500,
                     kBusy = 503;

void refuse(HttpResponse& response, int status, std::string_view why);

enum class Form : std::uint8_t { kJson, kCsv };
// By the parameter `format`.
[[nodiscard]] Form form_of(Parameters& parameters);

// `name` is what a downloaded file is called; a width of 0 is not told.
void put_answer(HttpResponse& response, const Result<storage::Table>& table, Form form, std::string_view name,
                std::int64_t width = 0);

}  // namespace trikal::serve
