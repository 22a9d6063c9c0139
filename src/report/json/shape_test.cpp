#include "report/json/shape.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "report/json/typescript.hpp"

namespace trikal::report {
namespace {

enum class Paint : std::uint8_t { kGreen, kBlue };
struct Point {
  std::int64_t x = 0, y = 0;
};
struct Base {
  std::string name;
};
struct Everything {
  Base base;
  Point at;
  bool sure = false;
  double size = 0;
  std::uint32_t count = 0;
  Paint colour = Paint::kGreen;
  std::optional<std::string> note;
  std::vector<std::string> lines;
  std::variant<std::int64_t, double> value;
};
Rows<Base> bases_of(const Everything& it) {
  return {[&it](const auto& row) {
    for (const std::string& line : it.lines) row({"base of " + line});
  }};
}
Keyed<Point> points_of(const Everything& it) {
  return {[&it](const auto& entry) { entry("origin", {}), entry("here", it.at); }};
}

}  // namespace

template <>
struct Names<Paint> {
  static constexpr std::string_view kName = "Paint";
  static constexpr std::array kAll = {Paint::kGreen, Paint::kBlue};
  static std::string_view text(Paint colour) { return colour == Paint::kGreen ? "green" : "blue"; }
};
template <>
struct Shape<Point> {
  static constexpr std::string_view kName = "Point";
  static constexpr bool kTuple = true;
  static constexpr std::tuple kFields{Field{"x", &Point::x}, Field{"y", &Point::y}};
};
template <>
struct Shape<Base> {
  static constexpr std::string_view kName = "Base", kMeaning = "What others extend.";
  static constexpr bool kOwnLine = true;
  static constexpr std::tuple kFields{Field{"name", &Base::name}};
};
template <>
struct Shape<Everything> {
  static constexpr std::string_view kName = "Everything";
  static constexpr std::tuple kFields{
      FieldsOf{&Everything::base},        Field{"at", &Everything::at},
      Field{"sure", &Everything::sure},   Field{"size", &Everything::size, "in metres"},
      Field{"count", &Everything::count}, Field{"colour", &Everything::colour},
      Field{"note", &Everything::note},   Field{"lines", &Everything::lines},
      Field{"value", &Everything::value}, Field{"bases", bases_of},
      Field{"points", points_of},         Field{"twice", [](const Everything& it) { return 2 * it.size; }},
  };
};

namespace {

std::string written(const Everything& it) {
  StringSink out;
  JsonWriter json(out);
  put(json, it);
  return std::string(out.text());
}

TEST(Shape, WritesEveryKindOfValueInTheOrderOfTheTable) {
  const Everything it{.base = {"all"},
                      .at = {1, -2},
                      .sure = true,
                      .size = 0.5,
                      .count = 4'000'000'000,
                      .colour = Paint::kBlue,
                      .note = "new",
                      .lines = {"a"},
                      .value = 2.5};
  EXPECT_EQ(written(it),
            R"({"name":"all","at":[1,-2],"sure":true,"size":0.5,"count":4000000000,"colour":"blue","note":"new",)"
            R"("lines":["a"],"value":2.5,"bases":[)"
            "\n"
            R"({"name":"base of a"}],"points":{"origin":[0,0],"here":[1,-2]},"twice":1})");
}

TEST(Shape, LeavesOutWhatIsNotThereAndWritesEmptyLists) {
  EXPECT_EQ(written({}),
            R"({"name":"","at":[0,0],"sure":false,"size":0,"count":0,"colour":"green","lines":[],"value":0,)"
            R"("bases":[],"points":{"origin":[0,0],"here":[0,0]},"twice":0})");
}

TEST(TypeScript, DeclaresWhatIsWrittenEachTypeOnceAndBeforeItsUse) {
  TypeScript types;
  EXPECT_EQ(types.type<std::vector<Everything>>(), "Everything[]");
  EXPECT_EQ(types.type<Everything>(), "Everything");
  EXPECT_EQ(types.declarations(), R"(
// What others extend.
export interface Base {
  name: string;
}

export type Point = [x: number, y: number];

export type Paint = "green" | "blue";

export interface Everything extends Base {
  at: Point;
  sure: boolean;
  size: number; // in metres
  count: number;
  colour: Paint;
  note?: string;
  lines: string[];
  value: number;
  bases: Base[];
  points: { [name: string]: Point };
  twice: number;
}
)");
}

}  // namespace
}  // namespace trikal::report
