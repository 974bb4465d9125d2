// The index's kernels for ARM processors with dot-product instructions (SDOT; optional from ARMv8.2 on): four products
// of signed bytes are added to a sum of 32 bits at once. How they were tested stands in index_neon.c.
#if defined(__aarch64__)
#include <arm_neon.h>

#pragma clang attribute push(__attribute__((target("dotprod"))), apply_to = function)

static inline int32x4_t add_nibbles(int32x4_t sum, int8x16_t lower, int8x16_t upper, int8x16_t first,
                                    int8x16_t second) {
    return vdotq_s32(vdotq_s32(sum, lower, first), upper, second);
}

static inline int32x4_t add_codes(int32x4_t sum, int8x16_t codes, int8x16_t query) {
    return vdotq_s32(sum, codes, query);
}

#define TABLE nexus_index_kernels_neon_dot
#include "index_neon_template.h"
#pragma clang attribute pop
#endif
