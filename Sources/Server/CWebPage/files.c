// Made by scripts/generate-page from the names in Sources/Server/WebPage/Files.

#include "CWebPage.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char file0[] = {
#embed "../WebPage/Files/administration/administration.js"
};
static const unsigned char file1[] = {
#embed "../WebPage/Files/administration/audit.js"
};
static const unsigned char file2[] = {
#embed "../WebPage/Files/administration/connection-steps.js"
};
static const unsigned char file3[] = {
#embed "../WebPage/Files/administration/connections.js"
};
static const unsigned char file4[] = {
#embed "../WebPage/Files/administration/content.js"
};
static const unsigned char file5[] = {
#embed "../WebPage/Files/administration/desk.js"
};
static const unsigned char file6[] = {
#embed "../WebPage/Files/administration/metrics.js"
};
static const unsigned char file7[] = {
#embed "../WebPage/Files/administration/people.js"
};
static const unsigned char file8[] = {
#embed "../WebPage/Files/administration/prometheus.js"
};
static const unsigned char file9[] = {
#embed "../WebPage/Files/administration/server.js"
};
static const unsigned char file10[] = {
#embed "../WebPage/Files/administration/vectors.js"
};
static const unsigned char file11[] = {
#embed "../WebPage/Files/assistant/answer.js"
};
static const unsigned char file12[] = {
#embed "../WebPage/Files/assistant/answering.js"
};
static const unsigned char file13[] = {
#embed "../WebPage/Files/assistant/assistant.js"
};
static const unsigned char file14[] = {
#embed "../WebPage/Files/assistant/citations.js"
};
static const unsigned char file15[] = {
#embed "../WebPage/Files/assistant/common.js"
};
static const unsigned char file16[] = {
#embed "../WebPage/Files/assistant/highlight.js"
};
static const unsigned char file17[] = {
#embed "../WebPage/Files/assistant/items.js"
};
static const unsigned char file18[] = {
#embed "../WebPage/Files/assistant/preview.js"
};
static const unsigned char file19[] = {
#embed "../WebPage/Files/assistant/replies.js"
};
static const unsigned char file20[] = {
#embed "../WebPage/Files/assistant/schedule-draft.js"
};
static const unsigned char file21[] = {
#embed "../WebPage/Files/assistant/schedule-form.js"
};
static const unsigned char file22[] = {
#embed "../WebPage/Files/assistant/schedules.js"
};
static const unsigned char file23[] = {
#embed "../WebPage/Files/assistant/search.js"
};
static const unsigned char file24[] = {
#embed "../WebPage/Files/assistant/share.js"
};
static const unsigned char file25[] = {
#embed "../WebPage/Files/assistant/sources.js"
};
static const unsigned char file26[] = {
#embed "../WebPage/Files/assistant/subject.js"
};
static const unsigned char file27[] = {
#embed "../WebPage/Files/assistant/summaries.js"
};
static const unsigned char file28[] = {
#embed "../WebPage/Files/assistant/tabs.js"
};
static const unsigned char file29[] = {
#embed "../WebPage/Files/assistant/trace.js"
};
static const unsigned char file30[] = {
#embed "../WebPage/Files/assistant/verdict.js"
};
static const unsigned char file31[] = {
#embed "../WebPage/Files/chat/activity.js"
};
static const unsigned char file32[] = {
#embed "../WebPage/Files/chat/banners.js"
};
static const unsigned char file33[] = {
#embed "../WebPage/Files/chat/composer.js"
};
static const unsigned char file34[] = {
#embed "../WebPage/Files/chat/connect.js"
};
static const unsigned char file35[] = {
#embed "../WebPage/Files/chat/conversations.js"
};
static const unsigned char file36[] = {
#embed "../WebPage/Files/chat/date.js"
};
static const unsigned char file37[] = {
#embed "../WebPage/Files/chat/details.js"
};
static const unsigned char file38[] = {
#embed "../WebPage/Files/chat/directory.js"
};
static const unsigned char file39[] = {
#embed "../WebPage/Files/chat/emoji.js"
};
static const unsigned char file40[] = {
#embed "../WebPage/Files/chat/entry.js"
};
static const unsigned char file41[] = {
#embed "../WebPage/Files/chat/faces.js"
};
static const unsigned char file42[] = {
#embed "../WebPage/Files/chat/files.js"
};
static const unsigned char file43[] = {
#embed "../WebPage/Files/chat/forward.js"
};
static const unsigned char file44[] = {
#embed "../WebPage/Files/chat/header.js"
};
static const unsigned char file45[] = {
#embed "../WebPage/Files/chat/help.js"
};
static const unsigned char file46[] = {
#embed "../WebPage/Files/chat/later.js"
};
static const unsigned char file47[] = {
#embed "../WebPage/Files/chat/list.js"
};
static const unsigned char file48[] = {
#embed "../WebPage/Files/chat/message.js"
};
static const unsigned char file49[] = {
#embed "../WebPage/Files/chat/new.js"
};
static const unsigned char file50[] = {
#embed "../WebPage/Files/chat/own-links.js"
};
static const unsigned char file51[] = {
#embed "../WebPage/Files/chat/own-profile.js"
};
static const unsigned char file52[] = {
#embed "../WebPage/Files/chat/parts.js"
};
static const unsigned char file53[] = {
#embed "../WebPage/Files/chat/people.js"
};
static const unsigned char file54[] = {
#embed "../WebPage/Files/chat/picture.js"
};
static const unsigned char file55[] = {
#embed "../WebPage/Files/chat/profile.js"
};
static const unsigned char file56[] = {
#embed "../WebPage/Files/chat/programs.js"
};
static const unsigned char file57[] = {
#embed "../WebPage/Files/chat/saved.js"
};
static const unsigned char file58[] = {
#embed "../WebPage/Files/chat/settings.js"
};
static const unsigned char file59[] = {
#embed "../WebPage/Files/chat/shell.js"
};
static const unsigned char file60[] = {
#embed "../WebPage/Files/chat/switcher.js"
};
static const unsigned char file61[] = {
#embed "../WebPage/Files/chat/target.js"
};
static const unsigned char file62[] = {
#embed "../WebPage/Files/chat/thread.js"
};
static const unsigned char file63[] = {
#embed "../WebPage/Files/chat/timeline.js"
};
static const unsigned char file64[] = {
#embed "../WebPage/Files/chat/touch.js"
};
static const unsigned char file65[] = {
#embed "../WebPage/Files/chat/view.js"
};
static const unsigned char file66[] = {
#embed "../WebPage/Files/data/api.js"
};
static const unsigned char file67[] = {
#embed "../WebPage/Files/data/core.js"
};
static const unsigned char file68[] = {
#embed "../WebPage/Files/data/disk.js"
};
static const unsigned char file69[] = {
#embed "../WebPage/Files/data/errors.js"
};
static const unsigned char file70[] = {
#embed "../WebPage/Files/data/feed.js"
};
static const unsigned char file71[] = {
#embed "../WebPage/Files/data/files.js"
};
static const unsigned char file72[] = {
#embed "../WebPage/Files/data/outbox.js"
};
static const unsigned char file73[] = {
#embed "../WebPage/Files/data/overlay.js"
};
static const unsigned char file74[] = {
#embed "../WebPage/Files/data/profiles.js"
};
static const unsigned char file75[] = {
#embed "../WebPage/Files/data/push.js"
};
static const unsigned char file76[] = {
#embed "../WebPage/Files/data/reducers.js"
};
static const unsigned char file77[] = {
#embed "../WebPage/Files/data/session.js"
};
static const unsigned char file78[] = {
#embed "../WebPage/Files/data/store.js"
};
static const unsigned char file79[] = {
#embed "../WebPage/Files/data/tabs.js"
};
static const unsigned char file80[] = {
#embed "../WebPage/Files/data/timelines.js"
};
static const unsigned char file81[] = {
#embed "../WebPage/Files/icon.svg"
};
static const unsigned char file82[] = {
#embed "../WebPage/Files/index.html"
};
static const unsigned char file83[] = {
#embed "../WebPage/Files/lib/colours.js"
};
static const unsigned char file84[] = {
#embed "../WebPage/Files/lib/days.js"
};
static const unsigned char file85[] = {
#embed "../WebPage/Files/lib/dialog.js"
};
static const unsigned char file86[] = {
#embed "../WebPage/Files/lib/dom.js"
};
static const unsigned char file87[] = {
#embed "../WebPage/Files/lib/icons.js"
};
static const unsigned char file88[] = {
#embed "../WebPage/Files/lib/markdown.js"
};
static const unsigned char file89[] = {
#embed "../WebPage/Files/lib/pane.js"
};
static const unsigned char file90[] = {
#embed "../WebPage/Files/lib/plain.js"
};
static const unsigned char file91[] = {
#embed "../WebPage/Files/lib/prose.js"
};
static const unsigned char file92[] = {
#embed "../WebPage/Files/lib/ranked.js"
};
static const unsigned char file93[] = {
#embed "../WebPage/Files/lib/router.js"
};
static const unsigned char file94[] = {
#embed "../WebPage/Files/lib/text.js"
};
static const unsigned char file95[] = {
#embed "../WebPage/Files/lib/ui.js"
};
static const unsigned char file96[] = {
#embed "../WebPage/Files/main.js"
};
static const unsigned char file97[] = {
#embed "../WebPage/Files/manifest.webmanifest"
};
static const unsigned char file98[] = {
#embed "../WebPage/Files/service-worker.js"
};
static const unsigned char file99[] = {
#embed "../WebPage/Files/style/administration.css"
};
static const unsigned char file100[] = {
#embed "../WebPage/Files/style/assistant.css"
};
static const unsigned char file101[] = {
#embed "../WebPage/Files/style/chat.css"
};
static const unsigned char file102[] = {
#embed "../WebPage/Files/style/shell.css"
};
static const unsigned char file103[] = {
#embed "../WebPage/Files/style/tokens.css"
};
static const unsigned char file104[] = {
#embed "../WebPage/Files/text/administration.js"
};
static const unsigned char file105[] = {
#embed "../WebPage/Files/text/area.js"
};
static const unsigned char file106[] = {
#embed "../WebPage/Files/text/assistant.js"
};
static const unsigned char file107[] = {
#embed "../WebPage/Files/text/chat.js"
};
static const unsigned char file108[] = {
#embed "../WebPage/Files/text/connections.js"
};
static const unsigned char file109[] = {
#embed "../WebPage/Files/text/entry.js"
};
static const unsigned char file110[] = {
#embed "../WebPage/Files/text/errors.js"
};
static const unsigned char file111[] = {
#embed "../WebPage/Files/text/habits.js"
};
static const unsigned char file112[] = {
#embed "../WebPage/Files/text/keys.js"
};
static const unsigned char file113[] = {
#embed "../WebPage/Files/text/later.js"
};
static const unsigned char file114[] = {
#embed "../WebPage/Files/text/links.js"
};
static const unsigned char file115[] = {
#embed "../WebPage/Files/text/profile.js"
};
static const unsigned char file116[] = {
#embed "../WebPage/Files/text/rooms.js"
};
static const unsigned char file117[] = {
#embed "../WebPage/Files/text/schedules.js"
};
static const unsigned char file118[] = {
#embed "../WebPage/Files/text/settings.js"
};
static const unsigned char file119[] = {
#embed "../WebPage/Files/text/shell.js"
};

static const struct web_page_file files[] = {
    {"administration/administration.js", file0, sizeof file0},
    {"administration/audit.js", file1, sizeof file1},
    {"administration/connection-steps.js", file2, sizeof file2},
    {"administration/connections.js", file3, sizeof file3},
    {"administration/content.js", file4, sizeof file4},
    {"administration/desk.js", file5, sizeof file5},
    {"administration/metrics.js", file6, sizeof file6},
    {"administration/people.js", file7, sizeof file7},
    {"administration/prometheus.js", file8, sizeof file8},
    {"administration/server.js", file9, sizeof file9},
    {"administration/vectors.js", file10, sizeof file10},
    {"assistant/answer.js", file11, sizeof file11},
    {"assistant/answering.js", file12, sizeof file12},
    {"assistant/assistant.js", file13, sizeof file13},
    {"assistant/citations.js", file14, sizeof file14},
    {"assistant/common.js", file15, sizeof file15},
    {"assistant/highlight.js", file16, sizeof file16},
    {"assistant/items.js", file17, sizeof file17},
    {"assistant/preview.js", file18, sizeof file18},
    {"assistant/replies.js", file19, sizeof file19},
    {"assistant/schedule-draft.js", file20, sizeof file20},
    {"assistant/schedule-form.js", file21, sizeof file21},
    {"assistant/schedules.js", file22, sizeof file22},
    {"assistant/search.js", file23, sizeof file23},
    {"assistant/share.js", file24, sizeof file24},
    {"assistant/sources.js", file25, sizeof file25},
    {"assistant/subject.js", file26, sizeof file26},
    {"assistant/summaries.js", file27, sizeof file27},
    {"assistant/tabs.js", file28, sizeof file28},
    {"assistant/trace.js", file29, sizeof file29},
    {"assistant/verdict.js", file30, sizeof file30},
    {"chat/activity.js", file31, sizeof file31},
    {"chat/banners.js", file32, sizeof file32},
    {"chat/composer.js", file33, sizeof file33},
    {"chat/connect.js", file34, sizeof file34},
    {"chat/conversations.js", file35, sizeof file35},
    {"chat/date.js", file36, sizeof file36},
    {"chat/details.js", file37, sizeof file37},
    {"chat/directory.js", file38, sizeof file38},
    {"chat/emoji.js", file39, sizeof file39},
    {"chat/entry.js", file40, sizeof file40},
    {"chat/faces.js", file41, sizeof file41},
    {"chat/files.js", file42, sizeof file42},
    {"chat/forward.js", file43, sizeof file43},
    {"chat/header.js", file44, sizeof file44},
    {"chat/help.js", file45, sizeof file45},
    {"chat/later.js", file46, sizeof file46},
    {"chat/list.js", file47, sizeof file47},
    {"chat/message.js", file48, sizeof file48},
    {"chat/new.js", file49, sizeof file49},
    {"chat/own-links.js", file50, sizeof file50},
    {"chat/own-profile.js", file51, sizeof file51},
    {"chat/parts.js", file52, sizeof file52},
    {"chat/people.js", file53, sizeof file53},
    {"chat/picture.js", file54, sizeof file54},
    {"chat/profile.js", file55, sizeof file55},
    {"chat/programs.js", file56, sizeof file56},
    {"chat/saved.js", file57, sizeof file57},
    {"chat/settings.js", file58, sizeof file58},
    {"chat/shell.js", file59, sizeof file59},
    {"chat/switcher.js", file60, sizeof file60},
    {"chat/target.js", file61, sizeof file61},
    {"chat/thread.js", file62, sizeof file62},
    {"chat/timeline.js", file63, sizeof file63},
    {"chat/touch.js", file64, sizeof file64},
    {"chat/view.js", file65, sizeof file65},
    {"data/api.js", file66, sizeof file66},
    {"data/core.js", file67, sizeof file67},
    {"data/disk.js", file68, sizeof file68},
    {"data/errors.js", file69, sizeof file69},
    {"data/feed.js", file70, sizeof file70},
    {"data/files.js", file71, sizeof file71},
    {"data/outbox.js", file72, sizeof file72},
    {"data/overlay.js", file73, sizeof file73},
    {"data/profiles.js", file74, sizeof file74},
    {"data/push.js", file75, sizeof file75},
    {"data/reducers.js", file76, sizeof file76},
    {"data/session.js", file77, sizeof file77},
    {"data/store.js", file78, sizeof file78},
    {"data/tabs.js", file79, sizeof file79},
    {"data/timelines.js", file80, sizeof file80},
    {"icon.svg", file81, sizeof file81},
    {"index.html", file82, sizeof file82},
    {"lib/colours.js", file83, sizeof file83},
    {"lib/days.js", file84, sizeof file84},
    {"lib/dialog.js", file85, sizeof file85},
    {"lib/dom.js", file86, sizeof file86},
    {"lib/icons.js", file87, sizeof file87},
    {"lib/markdown.js", file88, sizeof file88},
    {"lib/pane.js", file89, sizeof file89},
    {"lib/plain.js", file90, sizeof file90},
    {"lib/prose.js", file91, sizeof file91},
    {"lib/ranked.js", file92, sizeof file92},
    {"lib/router.js", file93, sizeof file93},
    {"lib/text.js", file94, sizeof file94},
    {"lib/ui.js", file95, sizeof file95},
    {"main.js", file96, sizeof file96},
    {"manifest.webmanifest", file97, sizeof file97},
    {"service-worker.js", file98, sizeof file98},
    {"style/administration.css", file99, sizeof file99},
    {"style/assistant.css", file100, sizeof file100},
    {"style/chat.css", file101, sizeof file101},
    {"style/shell.css", file102, sizeof file102},
    {"style/tokens.css", file103, sizeof file103},
    {"text/administration.js", file104, sizeof file104},
    {"text/area.js", file105, sizeof file105},
    {"text/assistant.js", file106, sizeof file106},
    {"text/chat.js", file107, sizeof file107},
    {"text/connections.js", file108, sizeof file108},
    {"text/entry.js", file109, sizeof file109},
    {"text/errors.js", file110, sizeof file110},
    {"text/habits.js", file111, sizeof file111},
    {"text/keys.js", file112, sizeof file112},
    {"text/later.js", file113, sizeof file113},
    {"text/links.js", file114, sizeof file114},
    {"text/profile.js", file115, sizeof file115},
    {"text/rooms.js", file116, sizeof file116},
    {"text/schedules.js", file117, sizeof file117},
    {"text/settings.js", file118, sizeof file118},
    {"text/shell.js", file119, sizeof file119},
};

size_t web_page_file_count(void) { return 120; }
struct web_page_file web_page_file_at(size_t place) { return files[place]; }
