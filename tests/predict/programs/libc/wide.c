#define _GNU_SOURCE
#include <langinfo.h>
#include <libintl.h>
#include <locale.h>
#include <wchar.h>
#include <wctype.h>

#include "say.h"

static void say_wide(const wchar_t* text) {
  char bytes[400];
  snprintf(bytes, sizeof bytes, "%ls", text);
  say(bytes);
}

static void characters(const char* text) {
  const size_t length = strlen(text);
  mbstate_t state = {0};
  for (size_t at = 0; at < length;) {
    wchar_t one = 0;
    const size_t used = mbrtowc(&one, text + at, length - at, &state);
    tell((long)used);
    if (used > 8) break;
    tell(one), tell(wcwidth(one)), tell(iswalpha(one) != 0), tell(iswprint(one) != 0), tell(towupper(one));
    tell(iswctype(one, wctype("digit")) != 0);
    tell(mbsinit(&state) != 0);
    at += used;
  }
  wchar_t wide[100];
  tell((long)mbstowcs(wide, text, 100));
  tell((long)mbstowcs(NULL, text, 0));
}

static void texts(void) {
  wchar_t text[64], more[64];
  wcscpy(text, L"wide"), wcscat(text, L" characters");
  tell(wcslen(text)), say_wide(text);
  say_wide(wcschr(text, L'c')), say_wide(wcsrchr(text, L'c')), say_wide(wcsstr(text, L"act"));
  tell(wcscmp(text, L"wide") > 0), tell(wcsncmp(text, L"wide", 4)), tell(wcscmp(L"a", L"b") < 0);
  wcsncpy(more, text, 7), more[7] = 0, say_wide(more);
  wmemset(more, L'x', 5), more[5] = 0, say_wide(more);
  wmemcpy(more, text, 16), say_wide(more);
  tell(wcstol(L"  4711 rest", NULL, 10)), real(wcstod(L"2.5e3", NULL));
  tell(swprintf(more, 64, L"%d-%ls-%s", 42, L"wide", "narrow")), say_wide(more);
  char bytes[64];
  tell((long)wcstombs(bytes, text, sizeof bytes)), say(bytes);
  tell(wctomb(bytes, L'a')), tell(btowc('a')), tell(wctob(L'b')), tell((long)wcrtomb(bytes, L'z', NULL));
}

static void streams(int lines) {
  FILE* file = fopen("wide.txt", "w");
  for (int i = 0; i < lines; ++i) fwprintf(file, L"line %d of %ls\n", i, L"wide text");
  fputws(L"the end", file), fputwc(L'\n', file);
  fclose(file);
  file = fopen("wide.txt", "r");
  wchar_t line[100];
  int count = 0;
  while (fgetws(line, 100, file) != NULL) ++count;
  tell(count), say_wide(line);
  rewind(file);
  for (wint_t one; (one = fgetwc(file)) != WEOF;) count += one == L'\n';
  tell(count);
  fclose(file);
}

int main(int argc, char** argv) {
  begin("wide.bin");
  say(setlocale(LC_ALL, NULL));
  tell(MB_CUR_MAX), say(nl_langinfo(CODESET)), say(nl_langinfo(DAY_1)), say(nl_langinfo(RADIXCHAR));
  characters("plain text 12");
  if (strcmp(argv[1], "utf8") == 0) {
    say(setlocale(LC_ALL, "C.UTF-8"));
    tell(MB_CUR_MAX), say(nl_langinfo(CODESET));
    characters("\xc3\xa4 \xe2\x82\xac und mehr");
  } else {
    say(setlocale(LC_ALL, "xx_NOT.THERE"));
    characters("\xc3\xa4");
  }
  const struct lconv* told = localeconv();
  say(told->decimal_point), say(told->thousands_sep), tell(told->frac_digits);
  texts();
  streams(atoi(argv[2]));
  say(gettext("a message")), say(dgettext("domain", "another")), say(dcgettext("domain", "third", LC_MESSAGES));
  say(textdomain("program")), say(textdomain(NULL));
  for (int i = 0; i < 4; ++i) fprintf(said, ngettext("%d file\n", "%d files\n", i), i);
  tell(strcoll("abc", "abd") < 0);
  char sorted[32];
  tell((long)strxfrm(sorted, "text", sizeof sorted)), say(sorted);
  locale_t other = newlocale(LC_ALL_MASK, "C", NULL);
  const locale_t before = uselocale(other);
  real(strtod("1.5", NULL));
  uselocale(before), freelocale(other);
  fclose(said);
  return 0;
}
