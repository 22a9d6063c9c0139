/* Rows into a database, in one transaction or in one each, and read again. */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

static void must(sqlite3* database, const char* text) {
  char* told = NULL;
  if (sqlite3_exec(database, text, NULL, NULL, &told) != SQLITE_OK) {
    fprintf(stderr, "%s: %s\n", text, told);
    exit(1);
  }
}

int main(int argc, char** argv) {
  const int rows = atoi(argv[1]), together = argc < 3;
  sqlite3* database = NULL;
  if (sqlite3_open("rows.db", &database) != SQLITE_OK) return 1;
  must(database, "CREATE TABLE rows (number INTEGER PRIMARY KEY, text TEXT)");
  if (together) must(database, "BEGIN");
  for (int i = 0; i < rows; i++) {
    char text[128];
    snprintf(text, sizeof text, "INSERT INTO rows VALUES (%d, 'the text of row %d')", i, i);
    must(database, text);
  }
  if (together) must(database, "COMMIT");
  must(database, "SELECT count(*), sum(length(text)) FROM rows");
  sqlite3_close(database);
  return 0;
}
