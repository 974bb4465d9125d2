// The system's BLAS (Debian: libblas-dev, libopenblas0-pthread), and what only some of its implementations offer.
#ifndef NEXUS_CBLAS_SHIM_H
#define NEXUS_CBLAS_SHIM_H

#include <cblas.h>
#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

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

/// Returns the value of `OPENBLAS_CORETYPE` that suits this processor better than what the loaded OpenBLAS chose;
/// NULL when it chose well. OpenBLAS 0.3.21 does not know processors younger than itself and takes its kernels of
/// 2004 ("Prescott") for them, a third as fast. It reads the variable once, when it is loaded, so a program that
/// sets it has to start itself again.
static inline const char *nexus_blas_better_core_type(void) {
#if defined(__x86_64__)
    char *(*get)(void) = (char *(*)(void))dlsym(RTLD_DEFAULT, "openblas_get_corename");
    if (get == NULL || strcmp(get(), "Prescott") != 0) { return NULL; }
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl")) {
        return "SkylakeX";
    }
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) { return "Haswell"; }
#endif
    return NULL;
}

#endif
