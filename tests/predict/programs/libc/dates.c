#define _GNU_SOURCE
#include <sys/resource.h>
#include <sys/times.h>
#include <time.h>

#include "say.h"

static void say_date(const struct tm* date) {
  char text[200];
  tell(date->tm_year), tell(date->tm_mon), tell(date->tm_mday), tell(date->tm_hour), tell(date->tm_min);
  tell(date->tm_sec), tell(date->tm_wday), tell(date->tm_yday), tell(date->tm_isdst);
  say(asctime(date));
  tell(strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S %A %B %j %U %Z %z %e|%-d|%c|%x|%X|%p", date));
  say(text);
  tell(strftime(text, 5, "%Y-%m", date));
}

static void fixed_dates(void) {
  const time_t times[] = {0, 1, 86399, 951782400, 1234567890, 1e9, 4102444800, -1, -2208988800};
  struct tm kept;
  char text[64];
  for (unsigned i = 0; i < sizeof times / sizeof *times; ++i) {
    say_date(gmtime(&times[i]));
    say_date(localtime(&times[i]));
    say_date(localtime_r(&times[i], &kept));
    say(ctime(&times[i]));
    say(ctime_r(&times[i], text));
    say(asctime_r(gmtime_r(&times[i], &kept), text));
    tell(timegm(&kept));
    localtime_r(&times[i], &kept);
    kept.tm_mday += 40, kept.tm_hour -= 30, kept.tm_isdst = -1;
    tell(mktime(&kept));
    say_date(&kept);
    real(difftime(times[i], 12345));
  }
}

static void parsed(const char* text, const char* format) {
  struct tm date = {0};
  const char* end = strptime(text, format, &date);
  say(end);
  if (end != NULL) say_date(&date), tell(timegm(&date));
}

static void every_day(int days) {
  char text[64];
  FILE* file = fopen("days.txt", "w");
  for (int i = 0; i < days; ++i) {
    const time_t when = 1700000000L + 86400L * i - 86400L * 10000;
    strftime(text, sizeof text, "%A, %d. %B %Y", gmtime(&when));
    fprintf(file, "%s\n", text);
  }
  fclose(file);
}

/* By the clock: what is written has the same length at any time. */
static void today(void) {
  char text[100], name[100];
  const time_t now = time(NULL);
  struct tm* date = localtime(&now);
  strftime(text, sizeof text, "%F %T", date);
  FILE* log = fopen("log.txt", "w");
  fprintf(log, "[%s] begin\n", text);
  fprintf(log, "%04d-%02d-%02d %02d:%02d:%02d\n", date->tm_year + 1900, date->tm_mon + 1, date->tm_mday, date->tm_hour,
          date->tm_min, date->tm_sec);
  fprintf(log, "ended at %s", ctime(&now));
  snprintf(name, sizeof name, "%04d%02d%02d", date->tm_year + 1900, date->tm_mon + 1, date->tm_mday);
  fwrite(name, 1, strlen(name), log);
  fclose(log);
}

int main(int argc, char** argv) {
  begin("dates.bin");
  fixed_dates();
  parsed("2001-11-12 18:31:01", "%Y-%m-%d %H:%M:%S");
  parsed("12 Feb 2024 and more", "%d %b %Y");
  parsed("12-99-2024", "%d-%m-%Y");
  setenv("TZ", "EST5EDT,M3.2.0,M11.1.0", 1);
  tzset();
  fixed_dates();
  setenv("TZ", "Asia/Kolkata", 1);
  tzset();
  fixed_dates();
  today();
  every_day(atoi(argv[1]));
  struct timespec step;
  tell(clock_getres(CLOCK_MONOTONIC, &step) + step.tv_sec);
  struct rusage used;
  tell(getrusage(RUSAGE_SELF, &used));
  struct tms spent;
  tell(times(&spent) != (clock_t)-1);
  fclose(said);
  return 0;
}
