#define _GNU_SOURCE
#include <search.h>

#include "say.h"

static int by_text(const void* a, const void* b) { return strcmp(a, b); }
static int by_number(const void* a, const void* b) { return *(const int*)a - *(const int*)b; }
static int by_rest(const void* a, const void* b, void* of) { return *(int*)a % *(int*)of - *(int*)b % *(int*)of; }

static int visited;
static void visit(const void* node, VISIT which, int depth) {
  if (which != postorder && which != leaf) return;
  ++visited;
  fprintf(said, "%s\n", *(const char* const*)node);
}

int main(int argc, char** argv) {
  const int count = atoi(argv[1]);
  begin("trees.bin");
  void* root = NULL;
  for (int i = 0; i < count; ++i) {
    char* key = malloc(32);
    snprintf(key, 32, "key%d", i * 7919 % 101);
    char** node = tsearch(key, &root, by_text);
    if (*node != key) free(key);
  }
  twalk(root, visit), tell(visited);
  tell(tfind("key0", &root, by_text) != NULL), tell(tfind("other", &root, by_text) != NULL);
  tell(tdelete("key0", &root, by_text) != NULL), visited = 0;
  twalk(root, visit), tell(visited), tdestroy(root, free);

  hcreate(200);
  for (int i = 0; i < count; ++i) {
    char* key = malloc(32);
    snprintf(key, 32, "entry%d", i % 40);
    const ENTRY entry = {key, (void*)(long)i};
    tell((long)hsearch(entry, ENTER)->data);
  }
  const ENTRY wanted = {"entry3", NULL}, missing = {"none", NULL};
  const ENTRY* entry = hsearch(wanted, FIND);
  tell(entry == NULL ? -1 : (long)entry->data), tell(hsearch(missing, FIND) == NULL), hdestroy();

  int *numbers = malloc((count + 2) * sizeof *numbers), key = 77, other = 3, of = 5;
  size_t size = 0;
  for (int i = 0; i < count; ++i) {
    int next = i * 31 % 17;
    lsearch(&next, numbers, &size, sizeof next, by_number);
  }
  tell(size), tell(lfind(&key, numbers, &size, sizeof key, by_number) == NULL);
  const int* position = lfind(&other, numbers, &size, sizeof key, by_number);
  tell(position == NULL ? -1 : position - numbers);
  qsort(numbers, size, sizeof key, by_number);
  position = bsearch(&other, numbers, size, sizeof key, by_number);
  tell(position == NULL ? -1 : position - numbers);
  qsort_r(numbers, size, sizeof key, by_rest, &of);
  for (size_t i = 0; i < size; ++i) tell(numbers[i]);
  fclose(said);
  return 0;
}
