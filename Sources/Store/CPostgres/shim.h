// libpq, the C client of PostgreSQL. Debian keeps its header in a separate folder.

#ifndef NEXUS_CPOSTGRES_SHIM_H
#define NEXUS_CPOSTGRES_SHIM_H

#if __has_include(<postgresql/libpq-fe.h>)
#include <postgresql/libpq-fe.h>
#else
#include <libpq-fe.h>
#endif

#endif
