#include "../check.h"

void work(void);
void work(void) { write_tens(open("library", O_CREAT | O_WRONLY, 0600), 1); }
