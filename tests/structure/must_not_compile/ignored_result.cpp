// A Result that nobody looks at is a failure that nobody hears of.
// expect: (ignoring returned value|ignoring return value).*nodiscard
#include "base/result.hpp"

trikal::Result<int> count();

int use() {
#ifdef TRIKAL_MISTAKE
  count();
  return 0;
#else
  const auto result = count();
  return result ? *result : -1;
#endif
}
