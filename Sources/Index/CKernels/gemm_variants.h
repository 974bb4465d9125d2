// The tables that gemm_dispatch.c chooses from; each is defined by one of the gemm_*.c files.
#ifndef NEXUS_GEMM_VARIANTS_H
#define NEXUS_GEMM_VARIANTS_H

#include "CKernels.h"

enum {
    // Rows whose activations lie in the scratch at a time, and the part of `k`: 180 kB, which leaves room in the
    // second-level cache for the panel that all these rows meet (48 kB).
    nexus_gemm_scratch_rows = 112,
    nexus_gemm_depth = 384,
    // The distance of rows in the scratch: a multiple of neither 512 nor 1024 bytes, so that rows fall into different
    // cache sets.
    nexus_gemm_scratch_stride = nexus_gemm_depth + 16,
    // What the variant with the largest scratch, AMX, needs: 256 rows, and room to align.
    nexus_gemm_scratch_floats = 256 * nexus_gemm_depth + 16,
};

// Returns the size of what is packed in groups, for `count` columns or terms.
static inline size_t nexus_gemm_padded(size_t count) {
    return (count + nexus_gemm_panel_columns - 1) / nexus_gemm_panel_columns * nexus_gemm_panel_columns;
}

extern const nexus_gemm_kernels nexus_gemm_kernels_portable;
#if defined(__x86_64__)
extern const nexus_gemm_kernels nexus_gemm_kernels_avx2;
extern const nexus_gemm_kernels nexus_gemm_kernels_avx512;
#if defined(__linux__)
extern const nexus_gemm_kernels nexus_gemm_kernels_amx;
#endif
#endif

#endif
