// Linear maps of a neural network: a matrix of activations times weights that were packed once, when they were loaded.
//
// Conventions as in CKernels.h. An output is summed in the same order whatever `rows` and `columns` are, so a row's result
// does not depend on the rows beside it, not even by rounding.
#ifndef NEXUS_GEMM_KERNELS_H
#define NEXUS_GEMM_KERNELS_H

#include "CKernels.h"

#pragma clang assume_nonnull begin

/// What happens to `x · weightᵀ + bias` before it is written.
typedef enum nexus_gemm_finish {
    /// Nothing.
    nexus_gemm_finish_none = 0,
    /// gelu(v) = v / 2 · (1 + erf(v / √2)); error below 1e-6 · max(1, |v|).
    nexus_gemm_finish_gelu = 1,
} __attribute__((enum_extensibility(closed))) nexus_gemm_finish;

/// Columns that are packed together; weights may be cut between two groups of so many columns.
enum { nexus_gemm_panel_columns = 32 };

/// A way to multiply, poorest first.
typedef enum nexus_gemm_variant {
    nexus_gemm_variant_portable = 0,
    nexus_gemm_variant_avx2 = 1,
    nexus_gemm_variant_avx512 = 2,
    /// Three products of bfloat16 instead of one of floats (Linux only): off by less than 2^-15 · Σ|x · weight|, where
    /// the others are off by less than (k + 1) · 2^-24 of it. Numbers must be finite.
    nexus_gemm_variant_amx = 3,
} __attribute__((enum_extensibility(closed))) nexus_gemm_variant;

/// The kernels of linear maps for one variant. Weights packed by one variant are for that one only.
typedef struct nexus_gemm_kernels {
    /// Packs a weight matrix of `columns` rows (one for each output) of `k` floats into
    /// `nexus_gemm_packed_count(columns, k)` floats; columns beyond the last one are zero.
    void (*pack)(float *packed, const float *weight, size_t columns, size_t k);

    /// out = finish(x · weightᵀ + bias), `rows` rows of `columns` floats.
    ///
    /// Rows of `out` and of `x` (`k` floats) start every `out_stride` and `x_stride` floats and do not overlap. NULL
    /// for `bias` means none. `scratch` holds `nexus_gemm_scratch_count()` floats. With `k` = 0 the sum is zero.
    void (*multiply)(float *out, size_t out_stride, const float *x, size_t x_stride, const float *packed,
                     const float *_Nullable bias, size_t rows, size_t columns, size_t k, nexus_gemm_finish finish,
                     float *scratch);
} nexus_gemm_kernels;

/// Returns the kernels of a variant, or NULL when this build or this processor does not have it.
const nexus_gemm_kernels *_Nullable nexus_gemm_kernels_for(nexus_gemm_variant variant);

/// Returns the kernels of the richest variant that both this build and this processor have.
const nexus_gemm_kernels *nexus_best_gemm_kernels(void);

/// Returns the number of floats of a packed weight matrix, and so the place in one where the part of columns from
/// `columns` on starts, if that is a multiple of `nexus_gemm_panel_columns`.
size_t nexus_gemm_packed_count(size_t columns, size_t k);

/// Returns the number of floats that `multiply` needs as scratch.
size_t nexus_gemm_scratch_count(void);

#pragma clang assume_nonnull end

#endif
