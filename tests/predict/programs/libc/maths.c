#define _GNU_SOURCE
#include <math.h>

#include "say.h"

int main(int argc, char** argv) {
  begin("maths.bin");
  const int count = atoi(argv[1]);
  for (int i = -3; i < count; ++i) {
    const double x = i * 0.37 + 0.11;
    const float f = x;
    int power;
    double whole, sine, cosine;
    real(sqrt(fabs(x))), real(cbrt(x)), real(atan2(x, 2)), real(hypot(x, 3)), real(tanh(x)), real(asin(x / 100));
    real(acos(x / 100)), real(atan(x)), real(sinh(x)), real(cosh(x)), real(exp2(x)), real(expm1(x)),
        real(log1p(fabs(x)));
    real(erf(x)), real(tgamma(fabs(x) + 1)), real(lgamma(fabs(x) + 1)), real(fmod(x, 0.7)), real(pow(fabs(x), 1.5));
    real(sqrtf(fabsf(f))), real(sinf(f)), real(powf(fabsf(f), 0.5f)), real(floorf(f)), real(fmaxf(f, 1.5f));
    tell(lround(x)), tell(lrint(x)), tell(llround(x * 1e9)), real(trunc(x)), real(rint(x)), real(copysign(2, x));
    real(frexp(x, &power)), tell(power), real(modf(x, &whole)), real(whole), real(ldexp(x, 5)), tell(ilogb(x + 10));
    sincos(x, &sine, &cosine), real(sine), real(cosine), real(fdim(x, 1)), real(fma(x, 2, 3)), real(remainder(x, 0.4));
    tell(isnan(x / 0 * 0) != 0), tell(isinf(x / 0) != 0), tell(signbit(x) != 0);
  }
  fclose(said);
  return 0;
}
