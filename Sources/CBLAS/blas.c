// Loads the BLAS before main, while there is one thread, and forwards the few functions that we use.
#include "CBLAS.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

typedef __typeof__(&cblas_sgemm) sgemm_function;
typedef __typeof__(&cblas_sgemv) sgemv_function;

static struct {
    void *library;
    sgemm_function sgemm;
    sgemv_function sgemv;
    void (*set_thread_count)(int);
    char *(*describe)(void);
} blas;

// Names the kernels that fit the processor's instructions, unless somebody named others.
static void choose_kernels(void) {
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq")
        && __builtin_cpu_supports("avx512vl")) {
        setenv("OPENBLAS_CORETYPE", "SkylakeX", 0);
    } else if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
        setenv("OPENBLAS_CORETYPE", "Haswell", 0);
    }
#endif
}

__attribute__((constructor)) static void load(void) {
    choose_kernels();
    // Debian's alternative comes first: it stands for whichever BLAS the operator chose.
    const char *names[] = {"libblas.so.3", "libopenblas.so.0"};
    for (size_t i = 0; i < 2 && blas.library == NULL; i++) { blas.library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL); }
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
