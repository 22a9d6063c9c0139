// A counter that holds an integer cannot be taken as a real number.
// expect: this counter is an integer
#include "modules/posix/schema.hpp"
#include "schema/record.hpp"

void forget(trikal::Record<trikal::modules::posix::kSchema>& record) {
#ifdef TRIKAL_MISTAKE
  record.set_real<"POSIX_OPENS">(0.0);
#else
  record.set_real<"POSIX_F_READ_TIME">(0.0);
#endif
}
