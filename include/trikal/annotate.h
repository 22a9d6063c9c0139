/* Names parts of a program's run, so that its I/O can be told apart by phase: in the log, in reports, on time axes.
 *
 *   #include <trikal/annotate.h>
 *
 *   trikal_annotate_begin("checkpoint");
 *   ... 
 *   trikal_annotate_end();
 *
 * Phases nest and belong to the thread that begins them. Header only: nothing to link with. Where the program is
 * not observed by trikal the calls do nothing, and cost a test of an address.
 */
#ifndef TRIKAL_ANNOTATE_H
#define TRIKAL_ANNOTATE_H

#ifdef __cplusplus
extern "C" {
#endif

/* Defined by the observing library where there is one; weak, so that programs link without it. */
extern void trikal_phase_begin(const char* name) __attribute__((weak));
extern void trikal_phase_end(void) __attribute__((weak));

static inline void trikal_annotate_begin(const char* name) {
  if (trikal_phase_begin) trikal_phase_begin(name);
}

static inline void trikal_annotate_end(void) {
  if (trikal_phase_end) trikal_phase_end();
}

#ifdef __cplusplus
}

namespace trikal {

/* A phase as long as this object lives. */
class Phase {
 public:
  explicit Phase(const char* name) { trikal_annotate_begin(name); }
  ~Phase() { trikal_annotate_end(); }
  Phase(const Phase&) = delete;
  Phase& operator=(const Phase&) = delete;
};

}  // namespace trikal
#endif

#endif /* TRIKAL_ANNOTATE_H */
