// libcurl, with typed wrappers of its variadic calls: Swift cannot call `curl_easy_setopt` and its relatives.
// Each wrapper takes the one C type that the options of that kind expect.

#ifndef NEXUS_CCURL_SHIM_H
#define NEXUS_CCURL_SHIM_H

#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

/// Sets an option of type `long`, boolean options included.
static inline CURLcode nexus_curl_set_long(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}

/// Sets an option of type `curl_off_t`.
static inline CURLcode nexus_curl_set_offset(CURL *easy, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(easy, option, value);
}

/// Sets a string option; libcurl copies the string.
static inline CURLcode nexus_curl_set_string(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}

/// Sets the request body to a copy of `length` bytes.
static inline CURLcode nexus_curl_set_body(CURL *easy, const void *bytes, curl_off_t length) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, length);
    return code != CURLE_OK ? code : curl_easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, bytes);
}

/// Sets the header list; it is not copied and must live until the transfer has ended.
static inline CURLcode nexus_curl_set_headers(CURL *easy, struct curl_slist *headers) {
    return curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers);
}

/// Sets the addresses of hosts; the list is not copied and must live until the transfer has ended.
static inline CURLcode nexus_curl_set_resolve(CURL *easy, struct curl_slist *hosts) {
    return curl_easy_setopt(easy, CURLOPT_RESOLVE, hosts);
}

/// Sets the function that receives body bytes.
static inline CURLcode nexus_curl_set_body_callback(CURL *easy, curl_write_callback callback, void *context) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, callback);
    return code != CURLE_OK ? code : curl_easy_setopt(easy, CURLOPT_WRITEDATA, context);
}

/// Sets the function that receives header lines.
static inline CURLcode nexus_curl_set_header_callback(CURL *easy, curl_write_callback callback, void *context) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, callback);
    return code != CURLE_OK ? code : curl_easy_setopt(easy, CURLOPT_HEADERDATA, context);
}

/// Sets the function that is called when the connection stands, before the request is sent.
static inline CURLcode nexus_curl_set_connected_callback(CURL *easy, curl_prereq_callback callback, void *context) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, callback);
    return code != CURLE_OK ? code : curl_easy_setopt(easy, CURLOPT_PREREQDATA, context);
}

/// Sets and enables the function that hears of transferred bytes.
static inline CURLcode nexus_curl_set_progress_callback(CURL *easy, curl_xferinfo_callback callback, void *context) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, callback);
    if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_XFERINFODATA, context);
    return code != CURLE_OK ? code : curl_easy_setopt(easy, CURLOPT_NOPROGRESS, 0L);
}

/// Reads a value of type `long`.
static inline CURLcode nexus_curl_get_long(CURL *easy, CURLINFO info, long *value) {
    return curl_easy_getinfo(easy, info, value);
}

/// Sets an option of type `long` on a multi handle.
static inline CURLMcode nexus_curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

/// The easy handle's result in a message of kind `CURLMSG_DONE`.
static inline CURLcode nexus_curl_message_result(const CURLMsg *message) {
    return message->data.result;
}

/// What a body callback returns to pause its transfer.
static inline size_t nexus_curl_write_pause(void) {
    return CURL_WRITEFUNC_PAUSE;
}

/// Lets a paused transfer go on.
static inline CURLcode nexus_curl_resume(CURL *easy) {
    return curl_easy_pause(easy, CURLPAUSE_CONT);
}

/// Prepares the library; to be called once, before anything else.
static inline CURLcode nexus_curl_global_init(void) {
    return curl_global_init(CURL_GLOBAL_DEFAULT);
}

#endif
