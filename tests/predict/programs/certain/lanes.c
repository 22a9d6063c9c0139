// Vectors: what one lane yields is not what the others do.
#include <emmintrin.h>
#include <stdio.h>

static void put(const char* name, long times) {
  FILE* out = fopen(name, "w");
  for (long i = 0; i < times; i++) fputc('x', out);
  fclose(out);
}

int main(void) {
  unsigned char a[16], b[16], sums[16], least[16];
  short words[8], wide[8];
  for (int i = 0; i < 16; i++) a[i] = (unsigned char)(i * 17), b[i] = 200;
  for (int i = 0; i < 8; i++) words[i] = (short)(i * 5000 - 9000);
  const __m128i x = _mm_loadu_si128((const __m128i*)a), y = _mm_loadu_si128((const __m128i*)b);
  _mm_storeu_si128((__m128i*)sums, _mm_adds_epu8(x, y));
  _mm_storeu_si128((__m128i*)least, _mm_min_epu8(x, y));
  const __m128i w = _mm_loadu_si128((const __m128i*)words);
  _mm_storeu_si128((__m128i*)wide, _mm_subs_epi16(w, _mm_set1_epi16(30000)));
  long sum = 0, lower = 0, below = 0;
  for (int i = 0; i < 16; i++) sum += sums[i], lower += least[i];
  for (int i = 0; i < 8; i++) below += wide[i] == -32768;
  put("sum", sum);
  put("lower", lower);
  put("below", below);
  put("mask", _mm_movemask_epi8(_mm_cmpeq_epi8(_mm_adds_epu8(x, y), _mm_set1_epi8(-1))));
  const __m128d roots = _mm_sqrt_pd(_mm_set_pd(144, 81));
  double both[2];
  _mm_storeu_pd(both, roots);
  put("roots", (long)(both[0] * 100 + both[1]));
  unsigned char packed[16];
  _mm_storeu_si128((__m128i*)packed, _mm_packus_epi16(w, w));  // of the processor's own: without a model
  put("packed", packed[0] + packed[7]);
  return 0;
}
