// libarchive, and zlib for gzip.

#ifndef NEXUS_CARCHIVE_SHIM_H
#define NEXUS_CARCHIVE_SHIM_H

#include <archive.h>
#include <archive_entry.h>
#include <zlib.h>

#endif
