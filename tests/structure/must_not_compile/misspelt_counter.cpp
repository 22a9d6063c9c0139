// A counter's name is looked up at compile time: a misspelt one is an error, not a wrong number.
// expect: no.counter.of.that.name
#include "modules/posix/schema.hpp"
#include "schema/record.hpp"

long long written(trikal::Record<trikal::modules::posix::kSchema>& record) {
#ifdef TRIKAL_MISTAKE
  return record.at<"POSIX_BYTES_WRITEN">();
#else
  return record.at<"POSIX_BYTES_WRITTEN">();
#endif
}
