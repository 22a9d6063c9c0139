#include "report/html/page.hpp"

#include <gtest/gtest.h>

#include <string>

#include "report/html/assets.hpp"

namespace trikal::report {
namespace {

std::string page_with(std::string_view title, std::string_view data) {
  StringSink out;
  write_page_head(out, title);
  out.put(data);
  write_page_tail(out);
  return std::string(out.text());
}

std::size_t count(const std::string& text, std::string_view what) {
  std::size_t found = 0;
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + what.size())) ++found;
  return found;
}

std::string joined(std::span<const std::string_view> pieces) {
  std::string all;
  for (const auto piece : pieces) all += piece;
  return all;
}

TEST(Page, DataStandsInItsOwnElement) {
  const auto page = page_with("a run", R"({"schema":"trikal-report 1"})");
  EXPECT_EQ(page.find("<!doctype html>"), 0U);
  EXPECT_NE(
      page.find("<script type=\"application/json\" id=\"trikal-data\">{\"schema\":\"trikal-report 1\"}\n--></script>"),
      std::string::npos);
  EXPECT_EQ(page.substr(page.size() - 8), "</html>\n");
}

TEST(Page, TitleIsText) {
  const auto page = page_with("</title><script>alert(1)</script> & co", "{}");
  EXPECT_NE(page.find("<title>&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt; &amp; co</title>"),
            std::string::npos);
}

TEST(Page, ElementsCloseOnceHoweverTheBundleLooks) {
  const auto page = page_with("t", "{}");
  EXPECT_EQ(count(page, "<script"), 2U);
  EXPECT_EQ(count(page, "</script"), 2U);
  EXPECT_EQ(count(page, "</style"), 1U);
}

TEST(Page, HoldsTheWholeBundle) {
  if (!has_page())
    GTEST_SKIP() << "built without the report page: scripts/install-deps installs esbuild and node-typescript";
  const auto page = page_with("t", "{}");
  EXPECT_NE(page.find("<script>" + joined(page_script()) + "</script>"), std::string::npos);
  EXPECT_NE(page.find("<style>" + joined(page_style()) + "</style>"), std::string::npos);
  EXPECT_FALSE(page_style().empty());
}

TEST(Page, LoadsNothing) {
  const auto page = page_with("t", "{}");
  EXPECT_NE(page.find("default-src 'none'"), std::string::npos);
  for (const auto* address : {"http://", "https://", "src=", "@import", "url("}) {
    // The name of SVG looks like an address and is none.
    EXPECT_EQ(count(page, address), count(page, std::string(address) + "www.w3.org/2000/svg")) << address;
  }
}

}  // namespace
}  // namespace trikal::report
