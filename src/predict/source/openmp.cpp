#include "predict/source/openmp.hpp"

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "predict/source/compile.hpp"

namespace trikal::predict {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kHeader = R"(#ifndef TRIKAL_OMP_H
#define TRIKAL_OMP_H
#ifdef __cplusplus
extern "C" {
#endif

typedef struct omp_lock_t { void* word[1]; } omp_lock_t;
typedef struct omp_nest_lock_t { void* word[2]; } omp_nest_lock_t;
typedef enum omp_sched_t {
  omp_sched_static = 1, omp_sched_dynamic = 2, omp_sched_guided = 3, omp_sched_auto = 4,
  omp_sched_monotonic = (int)0x80000000U
} omp_sched_t;
typedef enum omp_proc_bind_t {
  omp_proc_bind_false = 0, omp_proc_bind_true = 1, omp_proc_bind_master = 2, omp_proc_bind_primary = 2,
  omp_proc_bind_close = 3, omp_proc_bind_spread = 4
} omp_proc_bind_t;
typedef enum omp_sync_hint_t {
  omp_sync_hint_none = 0, omp_lock_hint_none = 0, omp_sync_hint_uncontended = 1, omp_lock_hint_uncontended = 1,
  omp_sync_hint_contended = 2, omp_lock_hint_contended = 2, omp_sync_hint_nonspeculative = 4,
  omp_lock_hint_nonspeculative = 4, omp_sync_hint_speculative = 8, omp_lock_hint_speculative = 8
} omp_sync_hint_t;
typedef omp_sync_hint_t omp_lock_hint_t;
typedef void* omp_depend_t;
typedef __UINTPTR_TYPE__ omp_event_handle_t;

void omp_set_num_threads(int);
int omp_get_num_threads(void);
int omp_get_max_threads(void);
int omp_get_thread_num(void);
int omp_get_num_procs(void);
int omp_in_parallel(void);
void omp_set_dynamic(int);
int omp_get_dynamic(void);
void omp_set_nested(int);
int omp_get_nested(void);
void omp_set_schedule(omp_sched_t, int);
void omp_get_schedule(omp_sched_t*, int*);
int omp_get_thread_limit(void);
void omp_set_max_active_levels(int);
int omp_get_max_active_levels(void);
int omp_get_supported_active_levels(void);
int omp_get_level(void);
int omp_get_active_level(void);
int omp_get_ancestor_thread_num(int);
int omp_get_team_size(int);
int omp_in_final(void);
int omp_get_cancellation(void);
omp_proc_bind_t omp_get_proc_bind(void);
int omp_get_num_places(void);
int omp_get_place_num_procs(int);
void omp_get_place_proc_ids(int, int*);
int omp_get_place_num(void);
void omp_set_default_device(int);
int omp_get_default_device(void);
int omp_get_num_devices(void);
int omp_get_device_num(void);
int omp_get_initial_device(void);
int omp_is_initial_device(void);
int omp_get_num_teams(void);
int omp_get_team_num(void);
int omp_get_max_task_priority(void);

void omp_init_lock(omp_lock_t*);
void omp_init_lock_with_hint(omp_lock_t*, omp_sync_hint_t);
void omp_destroy_lock(omp_lock_t*);
void omp_set_lock(omp_lock_t*);
void omp_unset_lock(omp_lock_t*);
int omp_test_lock(omp_lock_t*);
void omp_init_nest_lock(omp_nest_lock_t*);
void omp_init_nest_lock_with_hint(omp_nest_lock_t*, omp_sync_hint_t);
void omp_destroy_nest_lock(omp_nest_lock_t*);
void omp_set_nest_lock(omp_nest_lock_t*);
void omp_unset_nest_lock(omp_nest_lock_t*);
int omp_test_nest_lock(omp_nest_lock_t*);

double omp_get_wtime(void);
double omp_get_wtick(void);
void* omp_target_alloc(__SIZE_TYPE__, int);
void omp_target_free(void*, int);
int omp_target_is_present(const void*, int);

#ifdef __cplusplus
}
#endif
#endif
)";

}  // namespace

std::string openmp_headers(const std::string& cache) {
  const std::string folder = cache + "/openmp";
  (void)kept_text(folder, "omp.h", std::string(kHeader));
  return folder;
}

std::string openmp_fortran(const std::string& compiler) {
  std::error_code error;
  const fs::path folder = fs::canonical(compiler, error).parent_path().parent_path() / "include" / "flang";
  return fs::exists(folder / "omp_lib.h", error) ? folder.string() : std::string();
}

bool is_openmp(const std::string& option) {
  constexpr std::string_view kNames[] = {"-fopenmp", "-qopenmp", "-openmp", "-mp", "-homp", "-Kopenmp"};
  return std::ranges::find(kNames, option) != std::end(kNames) || option.starts_with("-fopenmp=") ||
         option.starts_with("-mp=");
}

bool asks_for_openmp(const std::vector<std::string>& options) { return std::ranges::any_of(options, is_openmp); }

std::vector<std::string> without_openmp(const std::vector<std::string>& options) {
  std::vector<std::string> kept = options;
  std::erase_if(kept, is_openmp);
  return kept;
}

}  // namespace trikal::predict
