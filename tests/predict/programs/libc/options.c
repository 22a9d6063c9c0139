#define _GNU_SOURCE
#include <getopt.h>
#include <obstack.h>

#include "say.h"

#define obstack_chunk_alloc malloc
#define obstack_chunk_free free

int main(int argc, char** argv) {
  static int verbose;
  const struct option known[] = {{"output", 1, NULL, 'o'}, {"verbose", 0, &verbose, 5}, {"version", 0, NULL, 'V'},
                                 {"level", 2, NULL, 'l'},  {"input", 1, NULL, 'i'},     {NULL, 0, NULL, 0}};
  begin("options.bin");
  opterr = 0;
  for (int i = 1; i < argc; ++i)
    if (strcmp(argv[i], "dashes") == 0) argv[i] = "--";
  for (int way = 0; way < 3; ++way) {
    int option, index = -1;
    optind = 0;
    while ((option = way == 0   ? getopt(argc, argv, "ab:c::")
                     : way == 1 ? getopt_long(argc, argv, ":ab:c::", known, &index)
                                : getopt_long_only(argc, argv, "+ab:c::", known, &index)) != -1) {
      tell(option), tell(index), tell(optind), tell(option == '?' || option == ':' ? optopt : 0);
      say(optarg);
    }
    tell(optind), tell(verbose);
    for (int i = 1; i < argc; ++i) say(argv[i]);
  }
  char text[] = "ro,size=10k,other,name=x", *rest = text, *value;
  char* const names[] = {"ro", "size", "name", NULL};
  while (*rest != '\0') tell(getsubopt(&rest, names, &value)), say(value);

  struct obstack texts;
  obstack_init(&texts);
  for (int i = 0; i < 300; ++i) {
    for (int k = 0; k < i; ++k) obstack_1grow(&texts, 'a' + k % 26);
    obstack_grow0(&texts, "end", 3);
    const char* made = obstack_finish(&texts);
    if (i % 50 == 0) say(made);
  }
  obstack_free(&texts, NULL);
  fclose(said);
  return 0;
}
