#pragma once
// The bundled web/ in pieces that follow each other. The source is made at build time (cmake/TrikalEmbed.cmake); all
// are empty in a build without esbuild and tsc.

#include <span>
#include <string_view>

namespace trikal::report {

[[nodiscard]] std::span<const std::string_view> page_script();
[[nodiscard]] std::span<const std::string_view> page_style();
// Of the page that trikal serve shows.
[[nodiscard]] std::span<const std::string_view> live_script();
[[nodiscard]] std::span<const std::string_view> live_style();

}  // namespace trikal::report
