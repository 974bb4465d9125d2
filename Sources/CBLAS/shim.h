// The system's BLAS (Debian: libblas-dev, libopenblas0-pthread), and what only some of its implementations offer.
#ifndef NEXUS_CBLAS_SHIM_H
#define NEXUS_CBLAS_SHIM_H

#include <cblas.h>
#include <dlfcn.h>
#include <stddef.h>

/// Sets the number of threads that one BLAS call may use. Returns 1 when the loaded library has such a
/// switch (OpenBLAS), 0 when it has none (the reference BLAS, which never starts a thread).
static inline int nexus_blas_set_thread_count(int count) {
    void (*set)(int) = (void (*)(int))dlsym(RTLD_DEFAULT, "openblas_set_num_threads");
    if (set == NULL) { return 0; }
    set(count);
    return 1;
}

/// Describes the loaded OpenBLAS (version, build options, kernel); NULL when another BLAS is loaded.
static inline const char *nexus_blas_description(void) {
    char *(*get)(void) = (char *(*)(void))dlsym(RTLD_DEFAULT, "openblas_get_config");
    return get == NULL ? NULL : get();
}

#endif
