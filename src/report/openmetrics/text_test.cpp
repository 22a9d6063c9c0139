#include "report/openmetrics/text.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace trikal::report {
namespace {

TEST(MetricsText, FamiliesSamplesAndTheEnd) {
  StringSink out;
  MetricsText text(out, {{"exe", "a"}});
  text.family("x_seconds", "gauge", "seconds", "how long");
  text.sample(1.5);
  text.sample(2, {{"layer", "POSIX"}});
  text.finish();
  EXPECT_EQ(out.text(),
            "# TYPE x_seconds gauge\n# UNIT x_seconds seconds\n# HELP x_seconds how long\n"
            "x_seconds{exe=\"a\"} 1.5\nx_seconds{exe=\"a\",layer=\"POSIX\"} 2\n# EOF\n");
}

TEST(MetricsText, LabelsAreEscapedAndUtf8) {
  StringSink out;
  MetricsText text(out, {});
  text.family("x", "info", "", "what");
  text.sample(1, {{"name", "a\"b\\c\nd\xff"}}, "_info");
  EXPECT_NE(out.text().find("x_info{name=\"a\\\"b\\\\c\\nd\xef\xbf\xbd\"} 1\n"), std::string_view::npos) << out.text();
}

TEST(MetricsText, NumbersThatAreNone) {
  StringSink out;
  MetricsText text(out, {});
  text.family("x", "gauge", "", "what");
  text.sample(std::numeric_limits<double>::quiet_NaN());
  text.sample(-std::numeric_limits<double>::infinity());
  EXPECT_NE(out.text().find("x NaN\nx -Inf\n"), std::string_view::npos) << out.text();
}

}  // namespace
}  // namespace trikal::report
