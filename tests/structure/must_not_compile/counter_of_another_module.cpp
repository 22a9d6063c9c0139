// A name that another module has is as unknown here as a misspelt one.
// expect: no.counter.of.that.name
#include "modules/posix/schema.hpp"
#include "schema/record.hpp"

long long opens(trikal::Record<trikal::modules::posix::kSchema>& record) {
#ifdef TRIKAL_MISTAKE
  return record.at<"STDIO_OPENS">();
#else
  return record.at<"POSIX_OPENS">();
#endif
}
