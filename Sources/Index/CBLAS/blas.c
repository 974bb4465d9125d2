// Loads the BLAS before main, while there is one thread, and forwards the few functions that we use.
#define _GNU_SOURCE
#include "CBLAS.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef __typeof__(&cblas_sgemm) sgemm_function;
typedef __typeof__(&cblas_sgemv) sgemv_function;

static struct {
    void *library;
    sgemm_function sgemm;
    sgemv_function sgemv;
    void (*set_thread_count)(int);
    char *(*describe)(void);
} blas;

// The setting that names the kernels which fit the processor's instructions; NULL where OpenBLAS chooses well by itself.
static const char *fitting_kernels(void) {
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq")
        && __builtin_cpu_supports("avx512vl")) {
        return "OPENBLAS_CORETYPE=SkylakeX";
    }
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) { return "OPENBLAS_CORETYPE=Haswell"; }
#endif
    return NULL;
}

static void *open_library(void) {
    // Debian's alternative comes first: it stands for the BLAS that the operator chose.
    void *library = dlopen("libblas.so.3", RTLD_NOW | RTLD_LOCAL);
    return library != NULL ? library : dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
}

// Opens the library with one variable more in the environment.
//
// Not by setenv: it moves the environment, and a statically linked Swift runtime, which is initialised after this, finds the
// program's arguments from where the environment was.
static void *open_with_variable(const char *variable) {
    size_t count = 0;
    while (environ[count] != NULL) { count++; }
    char **extended = malloc((count + 2) * sizeof *extended);
    if (extended == NULL) { return open_library(); }
    memcpy(extended, environ, count * sizeof *extended);
    extended[count] = (char *)variable;
    extended[count + 1] = NULL;
    char **original = environ;
    environ = extended;
    void *library = open_library();
    environ = original;
    free(extended);
    return library;
}

__attribute__((constructor)) static void load(void) {
    const char *kernels = getenv("OPENBLAS_CORETYPE") == NULL ? fitting_kernels() : NULL;
    blas.library = kernels == NULL ? open_library() : open_with_variable(kernels);
    if (blas.library == NULL) { return; }
    blas.sgemm = (sgemm_function)dlsym(blas.library, "cblas_sgemm");
    blas.sgemv = (sgemv_function)dlsym(blas.library, "cblas_sgemv");
    blas.set_thread_count = (void (*)(int))dlsym(blas.library, "openblas_set_num_threads");
    blas.describe = (char *(*)(void))dlsym(blas.library, "openblas_get_config");
}

int nexus_blas_is_loaded(void) { return blas.sgemm != NULL && blas.sgemv != NULL; }

int nexus_blas_set_thread_count(int count) {
    if (blas.set_thread_count == NULL) { return 0; }
    blas.set_thread_count(count);
    return 1;
}

const char *nexus_blas_description(void) { return blas.describe == NULL ? NULL : blas.describe(); }

static void require(const void *function) {
    if (function != NULL) { return; }
    fputs("nexus: there is no BLAS (libblas.so.3): install libopenblas0-pthread\n", stderr);
    abort();
}

void cblas_sgemm(CBLAS_LAYOUT layout, CBLAS_TRANSPOSE transpose_a, CBLAS_TRANSPOSE transpose_b, int m, int n,
                 int k, float alpha, const float *a, int lda, const float *b, int ldb, float beta,
                 float *c, int ldc) {
    require((const void *)blas.sgemm);
    blas.sgemm(layout, transpose_a, transpose_b, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

void cblas_sgemv(CBLAS_LAYOUT layout, CBLAS_TRANSPOSE transpose, int m, int n, float alpha, const float *a,
                 int lda, const float *x, int incx, float beta, float *y, int incy) {
    require((const void *)blas.sgemv);
    blas.sgemv(layout, transpose, m, n, alpha, a, lda, x, incx, beta, y, incy);
}
