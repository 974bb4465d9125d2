// The system's BLAS, loaded when the program starts (Debian: libblas-dev, libopenblas0-pthread).
//
// It is loaded by name rather than linked, because OpenBLAS chooses its kernels in its initialiser: a processor that is
// newer than the library gets those for SSE3, which take four times as long as the right ones. The choice can only
// be corrected by a variable of the environment that is set before.
#ifndef NEXUS_CBLAS_H
#define NEXUS_CBLAS_H

#pragma clang assume_nonnull begin

// The part of <cblas.h> that we use; its own form differs between the libraries that provide it.

/// How matrices lie in memory.
typedef enum CBLAS_LAYOUT { CblasRowMajor = 101, CblasColMajor = 102 } CBLAS_LAYOUT;
/// Whether a matrix is taken transposed.
typedef enum CBLAS_TRANSPOSE { CblasNoTrans = 111, CblasTrans = 112 } CBLAS_TRANSPOSE;

/// C = alpha · op(A) · op(B) + beta · C, op(A) with `m` rows and `k` columns.
void cblas_sgemm(CBLAS_LAYOUT layout, CBLAS_TRANSPOSE transpose_a, CBLAS_TRANSPOSE transpose_b, int m, int n, int k,
                 float alpha, const float *a, int lda, const float *b, int ldb, float beta, float *c, int ldc);

/// y = alpha · op(A) · x + beta · y, A with `m` rows and `n` columns.
void cblas_sgemv(CBLAS_LAYOUT layout, CBLAS_TRANSPOSE transpose, int m, int n, float alpha, const float *a, int lda,
                 const float *x, int incx, float beta, float *y, int incy);

/// Whether a BLAS was found. Without one the functions above end the process.
int nexus_blas_is_loaded(void);

/// Sets the number of threads that one BLAS call may use. Returns 1 when the loaded library has such a switch
/// (OpenBLAS), 0 when it has none (the reference BLAS, which never starts a thread).
int nexus_blas_set_thread_count(int count);

/// Describes the loaded OpenBLAS (version, build options, kernel); NULL when another BLAS is loaded.
const char *_Nullable nexus_blas_description(void);

#pragma clang assume_nonnull end

#endif
