#define _GNU_SOURCE
#include <grp.h>
#include <pwd.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "say.h"

int main(void) {
  begin("machine.bin");
  const int asked[] = {_SC_NPROCESSORS_ONLN, _SC_NPROCESSORS_CONF, _SC_PAGESIZE, _SC_CLK_TCK,
                       _SC_OPEN_MAX,         _SC_PHYS_PAGES,       _SC_ARG_MAX,  _SC_HOST_NAME_MAX,
                       _SC_IOV_MAX,          _SC_LINE_MAX,         12345};
  for (unsigned i = 0; i < sizeof asked / sizeof *asked; ++i) tell(sysconf(asked[i]));
  tell(get_nprocs()), tell(getpagesize()), tell(getdtablesize());
  struct rlimit limit = {0};
  tell(getrlimit(RLIMIT_NOFILE, &limit)), tell(limit.rlim_cur), tell(limit.rlim_max);
  limit.rlim_cur = 77;
  tell(setrlimit(RLIMIT_CORE, &limit) == 0 || 1);
  getrlimit(RLIMIT_STACK, &limit), tell(limit.rlim_cur);
  cpu_set_t set;
  tell(sched_getaffinity(0, sizeof set, &set)), tell(CPU_COUNT(&set));
  char name[256];
  tell(gethostname(name, sizeof name)), say(name);
  struct utsname system;
  tell(uname(&system)), say(system.sysname), say(system.release), say(system.machine), say(system.nodename);
  const struct passwd* person = getpwuid(getuid());
  if (person != NULL) say(person->pw_name), say(person->pw_dir), say(person->pw_shell), tell(person->pw_gid);
  person = getpwnam("nobody");
  if (person != NULL) tell(person->pw_uid), say(person->pw_gecos);
  struct passwd kept, *found = NULL;
  char capacity[1024];
  tell(getpwuid_r(0, &kept, capacity, sizeof capacity, &found)), tell(found != NULL), say(kept.pw_name);
  const struct group* group = getgrgid(0);
  if (group != NULL) say(group->gr_name), tell(group->gr_mem[0] == NULL);
  tell(getuid()), tell(geteuid()), tell(getgid()), tell(getegid());
  struct sysinfo told;
  tell(sysinfo(&told)), tell(told.totalram * told.mem_unit);
  tell(isatty(1));
  /* Work is shared between processors: one file a worker. */
  const long workers = sysconf(_SC_NPROCESSORS_ONLN);
  for (long i = 0; i < workers; ++i) {
    snprintf(name, sizeof name, "part%ld", i);
    FILE* part = fopen(name, "w");
    fprintf(part, "%ld of %ld\n", i, workers);
    fclose(part);
  }
  fclose(said);
  return 0;
}
