// make-page TITLE < DATA > PAGE: the frame of src/report/html around a document of the caller's.
#include <unistd.h>

#include <cstdio>
#include <iostream>
#include <iterator>
#include <string>

#include "report/html/page.hpp"

int main(int count, char** words) {
  if (!trikal::report::has_page()) {
    std::fputs("built without the report page\n", stderr);
    return 1;
  }
  const std::string data(std::istreambuf_iterator<char>(std::cin), {});
  trikal::report::DescriptorSink out(STDOUT_FILENO);
  trikal::report::write_page_head(out, count > 1 ? words[1] : "a page");
  out.put(data);
  trikal::report::write_page_tail(out);
  return out.flush().ok() ? 0 : 1;
}
