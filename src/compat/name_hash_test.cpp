#include "compat/name_hash.h"

#include <gtest/gtest.h>

#include <climits>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

using Table = darshan_name_record_ref*;

std::vector<std::string> names_in(Table table) {
  std::vector<std::string> names;
  for (; table != nullptr; table = static_cast<Table>(table->hlink.next)) names.emplace_back(table->name_record->name);
  return names;
}

void release(Table table) {
  if (table == nullptr) return;
  std::free(table->hlink.tbl->buckets);
  std::free(table->hlink.tbl);
  while (table != nullptr) {
    Table next = static_cast<Table>(table->hlink.next);
    std::free(table->name_record);
    std::free(table);
    table = next;
  }
}

// What uthash 1.9.2 makes of these keys, read from tables of the original library: where plain chars are signed, and
// where they are not.
TEST(NameHash, IsThatOfTheUthashInDarshan) {
  struct Known {
    std::uint64_t id;
    unsigned with_signed, with_unsigned;
  };
  for (const Known& known :
       {Known{14734109647742566553U, 3944259449U, 3031399598U}, Known{15920181672442173319U, 2246690769U, 1787529039U},
        Known{7238257241479193519U, 3617872075U, 3780776227U}, Known{10384774853006289996U, 3332243470U, 685889282U},
        Known{9080082818774558450U, 405739888U, 2014287326U}}) {
    EXPECT_EQ(trikal_hash_key(&known.id, sizeof known.id), CHAR_MIN < 0 ? known.with_signed : known.with_unsigned);
  }
}

TEST(NameHash, KeepsTheOrderAndTheFirstName) {
  Table table = nullptr;
  EXPECT_EQ(trikal_name_hash_add(&table, 7, "seven", 5), 0);
  EXPECT_EQ(trikal_name_hash_add(&table, 3, "three and more", 5), 0);
  EXPECT_EQ(trikal_name_hash_add(&table, 7, "again", 5), 0);
  EXPECT_EQ(trikal_name_hash_add(&table, 9, "", 0), 0);
  EXPECT_EQ(names_in(table), (std::vector<std::string>{"seven", "three", ""}));
  release(table);
}

TEST(NameHash, HoldsManyNames) {
  Table table = nullptr;
  for (std::uint64_t i = 0; i < 5000; ++i) {
    const std::string name = std::to_string(i);
    ASSERT_EQ(trikal_name_hash_add(&table, i * 0x9e3779b97f4a7c15U, name.data(), name.size()), 0);
  }
  EXPECT_EQ(table->hlink.tbl->num_items, 5000U);
  EXPECT_EQ(names_in(table).size(), 5000U);
  release(table);
}

}  // namespace
