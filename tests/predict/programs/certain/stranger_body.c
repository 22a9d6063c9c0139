int stranger(const char* text) { return text[0] - 'a' + 5; }
