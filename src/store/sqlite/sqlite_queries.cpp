// What was stored of a process.

#include "store/sqlite/sqlite_store.hpp"

namespace trikal::storage {

Result<std::vector<StoredSum>> SqliteStore::stored_of(std::uint64_t process) {
  std::vector<StoredSum> sums;
  Statement& find = prepared(
      "SELECT file.key, total.module, total.operation, calls, bytes, steps FROM process JOIN total ON "
      "total.run = process.run AND total.process = process.id JOIN file ON file.id = total.file WHERE process.key = ?");
  int step = find.with(process).step();
  for (; step == SQLITE_ROW; step = find.step())
    sums.push_back({find.id(0),
                    static_cast<ModuleId>(find.number(1)),
                    static_cast<Operation>(find.number(2)),
                    {find.id(3), find.id(4), find.id(5)}});
  find.reset();
  if (step != SQLITE_DONE) return failure("cannot read the store");
  return sums;
}

}  // namespace trikal::storage
