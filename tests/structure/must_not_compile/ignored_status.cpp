// The same for a call that returns nothing but whether it worked.
// expect: (ignoring returned value|ignoring return value).*nodiscard
#include "base/result.hpp"

trikal::Status save();

bool use() {
#ifdef TRIKAL_MISTAKE
  save();
  return true;
#else
  return save().ok();
#endif
}
