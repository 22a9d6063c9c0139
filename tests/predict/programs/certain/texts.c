// What decides is somewhere in a text or a table, where the beginning says nothing of it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char* const kWords[] = {"x1", "x1", "x1", "x1", "x1", "x1",   "x1",
                                     "x1", "x1", "x1", "x1", "x1", "stop", "x1"};
static const char kRows[40][8] = {"aa", "aa", "aa", "aa", "aa", "aa", "aa", "aa", "aa", "aa", "aa", "aa",    "aa", "aa",
                                  "aa", "aa", "aa", "aa", "aa", "aa", "aa", "aa", "aa", "ab", "aa", "aa",    "aa", "aa",
                                  "aa", "aa", "aa", "aa", "aa", "aa", "aa", "aa", "aa", "aa", "aa", "longer"};
static const char kText[] =
    "NAME_OF_ALL   ........SOMETHINGELSEBEHINDIT....AND SOMEMORE  1 1 1 1 1 1 1 1 1 1 1 1 1 7 1 1 1 1";

static void put(const char* name, long times) {
  FILE* out = fopen(name, "w");
  for (long i = 0; i < times; i++) fputc('x', out);
  fclose(out);
}

int main(void) {
  const int length = (int)strlen(kText);
  int at = 0, behind = 0;
  for (at = 0; at < length; at++)
    if (strchr(" \t", kText[at]) != NULL) break;
  for (behind = at; behind < length; behind++)
    if (strchr(" \t", kText[behind]) == NULL) break;
  put("at", at);
  put("behind", behind);
  int kinds = 0;
  for (int i = 0; i < length; i++) {
    switch (kText[i]) {
      case '.': kinds += 1; break;
      case ' ': kinds += 10; break;
      case 'O': kinds += 100; break;
      default: kinds += 3; break;
    }
  }
  put("kinds", kinds);
  int word = 0, row = 0, sum = 0, same = 0, digits = 0;
  for (word = 0; word < 14; word++)
    if (strcmp(kWords[word], "stop") == 0) break;
  put("word", word);
  for (row = 0; row < 40; row++)
    if (strncmp(kRows[row], "ab", 2) == 0) break;
  put("row", row);
  for (int i = 0; i < 40; i++) sum += (int)strlen(kRows[i]);
  put("lengths", sum);
  for (int i = 0; i < 40; i++) same += memcmp(kRows[i], kRows[0], 8) == 0;
  put("same", same);
  for (int i = 61; i + 1 < length; i += 2) digits += atoi(&kText[i]);
  put("digits", digits);
  FILE* out = fopen("rows", "w");
  for (int i = 0; i < 40; i++) fputs(kRows[i], out);
  for (int i = 0; i < 40; i++) fprintf(out, "%s,", kRows[i]);
  fclose(out);
  return 0;
}
