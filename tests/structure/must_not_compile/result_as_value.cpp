// A Result does not become its value by itself: the failure has to be thought of.
// expect: (cannot convert|no viable conversion)
#include "base/result.hpp"

trikal::Result<int> count();

int use() {
#ifdef TRIKAL_MISTAKE
  const int value = count();
  return value;
#else
  const auto result = count();
  return result ? *result : -1;
#endif
}
