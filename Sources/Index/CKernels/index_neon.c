// The index's kernels for every 64-bit ARM processor: products in 16 bits, added by pairs to sums in 32 bits.
//
// These and those of index_neon_dot.c and bit_neon.c were tested under qemu-user only (scripts/test-neon, `make neon`):
// results and bounds of memory, not speed. No ARM processor was at hand.
#if defined(__aarch64__)
#include <arm_neon.h>

// Four products of at most 15 · 128 stay in 16 bits.
static inline int32x4_t add_nibbles(int32x4_t sum, int8x16_t lower, int8x16_t upper, int8x16_t first,
                                    int8x16_t second) {
    int16x8_t products = vmull_s8(vget_low_s8(lower), vget_low_s8(first));
    products = vmlal_high_s8(products, lower, first);
    products = vmlal_s8(products, vget_low_s8(upper), vget_low_s8(second));
    return vpadalq_s16(sum, vmlal_high_s8(products, upper, second));
}

// Two products of at most 128 · 128 may not.
static inline int32x4_t add_codes(int32x4_t sum, int8x16_t codes, int8x16_t query) {
    sum = vpadalq_s16(sum, vmull_s8(vget_low_s8(codes), vget_low_s8(query)));
    return vpadalq_s16(sum, vmull_high_s8(codes, query));
}

#define TABLE nexus_index_kernels_neon
#include "index_neon_template.h"
#endif
