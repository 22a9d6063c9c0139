// A counter that holds a real number cannot be taken as an integer.
// expect: this counter is a real
#include "modules/posix/schema.hpp"
#include "schema/record.hpp"

double read_time(trikal::Record<trikal::modules::posix::kSchema>& record) {
#ifdef TRIKAL_MISTAKE
  return static_cast<double>(record.at<"POSIX_F_READ_TIME">());
#else
  return record.real<"POSIX_F_READ_TIME">();
#endif
}
