// The files of the page, as they are in Sources/Server/WebPage/Files when the program is compiled.

#ifndef NEXUS_CWEBPAGE_H
#define NEXUS_CWEBPAGE_H

#include <stddef.h>

struct web_page_file {
    const char *name;
    const unsigned char *bytes;
    size_t count;
};

size_t web_page_file_count(void);
// Returns a file by its place, from 0.
struct web_page_file web_page_file_at(size_t place);

#endif
