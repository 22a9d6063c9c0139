#include "base/short_text.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace trikal {
namespace {

constexpr ShortText<6> kWords[] = {"", "one", "sixsix"};

TEST(ShortText, IsTheTextAndNoAddress) {
  EXPECT_EQ(kWords[0].view(), "");
  EXPECT_EQ(kWords[1].view(), "one");
  EXPECT_EQ(kWords[2].view(), "sixsix") << "as long as there is space for";
  EXPECT_EQ(ShortText<6>().view(), "");
  EXPECT_EQ(kWords[1].view().data(), kWords[1].text);
}

TEST(ShortText, IsFoundInATable) {
  EXPECT_EQ(std::ranges::find(kWords, "one", &ShortText<6>::view), &kWords[1]);
  EXPECT_EQ(std::ranges::find(kWords, "two", &ShortText<6>::view), std::end(kWords));
  EXPECT_TRUE(std::ranges::any_of(kWords, [](std::string_view word) { return word.ends_with("six"); }));
}

}  // namespace
}  // namespace trikal
