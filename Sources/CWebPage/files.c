// Made by scripts/generate-page from the names in Sources/WebPage/Files.

#include "CWebPage.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char file0[] = {
#embed "../WebPage/Files/administration/prometheus.js"
};
static const unsigned char file1[] = {
#embed "../WebPage/Files/assistant/citations.js"
};
static const unsigned char file2[] = {
#embed "../WebPage/Files/assistant/highlight.js"
};
static const unsigned char file3[] = {
#embed "../WebPage/Files/icon.svg"
};
static const unsigned char file4[] = {
#embed "../WebPage/Files/index.html"
};
static const unsigned char file5[] = {
#embed "../WebPage/Files/lib/dialog.js"
};
static const unsigned char file6[] = {
#embed "../WebPage/Files/lib/dom.js"
};
static const unsigned char file7[] = {
#embed "../WebPage/Files/lib/icons.js"
};
static const unsigned char file8[] = {
#embed "../WebPage/Files/lib/pane.js"
};
static const unsigned char file9[] = {
#embed "../WebPage/Files/lib/router.js"
};
static const unsigned char file10[] = {
#embed "../WebPage/Files/lib/text.js"
};
static const unsigned char file11[] = {
#embed "../WebPage/Files/main.js"
};
static const unsigned char file12[] = {
#embed "../WebPage/Files/manifest.webmanifest"
};
static const unsigned char file13[] = {
#embed "../WebPage/Files/service-worker.js"
};
static const unsigned char file14[] = {
#embed "../WebPage/Files/style/tokens.css"
};
static const unsigned char file15[] = {
#embed "../WebPage/Files/text/shell.js"
};

static const struct web_page_file files[] = {
    {"administration/prometheus.js", file0, sizeof file0},
    {"assistant/citations.js", file1, sizeof file1},
    {"assistant/highlight.js", file2, sizeof file2},
    {"icon.svg", file3, sizeof file3},
    {"index.html", file4, sizeof file4},
    {"lib/dialog.js", file5, sizeof file5},
    {"lib/dom.js", file6, sizeof file6},
    {"lib/icons.js", file7, sizeof file7},
    {"lib/pane.js", file8, sizeof file8},
    {"lib/router.js", file9, sizeof file9},
    {"lib/text.js", file10, sizeof file10},
    {"main.js", file11, sizeof file11},
    {"manifest.webmanifest", file12, sizeof file12},
    {"service-worker.js", file13, sizeof file13},
    {"style/tokens.css", file14, sizeof file14},
    {"text/shell.js", file15, sizeof file15},
};

size_t web_page_file_count(void) { return 16; }
struct web_page_file web_page_file_at(size_t place) { return files[place]; }
