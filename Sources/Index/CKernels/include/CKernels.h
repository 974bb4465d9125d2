// Loops that must be fast: written once in C, compiled for several instruction sets, chosen at run time.
//
// Conventions: matrices are row-major, a row of `columns` floats starts every `stride` floats (or every `columns`
// where no stride is given). Pointers need no alignment beyond a float's. Nothing here allocates, and nothing
// keeps state: every function may be called from any number of threads on different output.
#ifndef NEXUS_CKERNELS_H
#define NEXUS_CKERNELS_H

#include <stddef.h>

#include "index_kernels.h"

#pragma clang assume_nonnull begin

/// An instruction set that kernels were compiled for, poorest first.
typedef enum nexus_instruction_set {
    nexus_instruction_set_portable = 0,
    nexus_instruction_set_avx2 = 1,
    nexus_instruction_set_avx512 = 2,
} __attribute__((enum_extensibility(closed))) nexus_instruction_set;

/// Returns the richest instruction set that both this build and this processor have.
nexus_instruction_set nexus_best_instruction_set(void);

/// The kernels of the sentence encoder for one instruction set. Results of two sets differ by rounding only.
typedef struct nexus_encoder_kernels {
    /// Returns the dot product of `a` and `b`.
    float (*dot)(const float *a, const float *b, size_t count);

    /// Replaces each row of `x` by its softmax, exp(x - max) / sum. A row has 1 column or more.
    void (*softmax_rows)(float *x, size_t rows, size_t columns, size_t stride);

    /// x = gelu(x + bias), gelu(v) = v / 2 · (1 + erf(v / √2)); error below 1e-6 · max(1, |v|).
    void (*bias_gelu)(float *x, const float *bias, size_t rows, size_t columns);

    /// x = layer_norm(x + y + bias) · gain + shift, row by row.
    void (*residual_layer_norm)(float *x, const float *y, const float *bias, const float *gain, const float *shift,
                                float epsilon, size_t rows, size_t columns);

    /// Writes the mean of all rows of `x`, scaled to length 1, to `out` (zeros when the mean is zero). 1 row or more.
    void (*mean_pool_unit)(float *out, const float *x, size_t rows, size_t columns);

    /// Multi-head attention inside one sentence, with heads of `head` components: 32 or 64.
    ///
    /// A row of `qkv` holds the query, key and value projections of a token, each `heads * head` floats, without
    /// their bias. `bias` has the same layout; its key part is not read, since it moves all scores of a query by
    /// the same amount. Writes `tokens` rows of `heads * head` floats to `out`. `scratch`
    /// holds `nexus_attention_scratch_count(tokens, head)` floats.
    void (*attention)(float *out, const float *qkv, const float *bias, size_t tokens, size_t heads, size_t head,
                      float *scratch);
} nexus_encoder_kernels;

/// Returns the number of floats that `attention` needs as scratch for a sentence of so many tokens and heads of `head`
/// components.
size_t nexus_attention_scratch_count(size_t tokens, size_t head);

/// Returns the kernels for `set`, or NULL when this build or this processor does not have it.
const nexus_encoder_kernels *_Nullable nexus_encoder_kernels_for(nexus_instruction_set set);

/// Returns the kernels for the richest instruction set that both this build and this processor have.
const nexus_encoder_kernels *nexus_best_encoder_kernels(void);

#pragma clang assume_nonnull end

#include "checksum.h"
#include "gemm_kernels.h"
#include "quantized_kernels.h"

#endif
