// The product kernel of the compact form for 64-bit ARM processors, all of which count the bits of bytes. How it was
// tested stands in index_neon.c.
#if defined(__aarch64__)
#include <arm_neon.h>

#include "bit_shared.h"

enum { step = 16, block = 4 };

// Up to 120 a byte, so 240 for each of the pairs that are added: 16 bits are enough for 34,944 components.
typedef struct sums {
    uint16x8_t row[block];
} sums;

static inline uint8x16_t load_words(const uint8_t *p, size_t count) {
    return count == step ? vld1q_u8(p) : vcombine_u8(vld1_u8(p), vdup_n_u8(0));
}

// Counts of the bits that differ from those of the query's planes, times the weight of the plane.
static inline uint8x16_t counts(uint8x16_t bits, const uint8x16_t planes[nexus_bit_planes]) {
    uint8x16_t total = vdupq_n_u8(0);
    for (int b = nexus_bit_planes - 1; b >= 0; b--) {
        total = vaddq_u8(vshlq_n_u8(total, 1), vcntq_u8(veorq_u8(bits, planes[b])));
    }
    return total;
}

// `count` bytes of four rows, which share the loads of the query.
static inline sums add_counts(sums s, const uint8_t *const rows[block], size_t j, size_t count, const uint8_t *planes,
                              size_t stride) {
    uint8x16_t some[nexus_bit_planes];
    for (size_t b = 0; b < nexus_bit_planes; b++) { some[b] = vld1q_u8(planes + b * stride + j); }
    for (int i = 0; i < block; i++) { s.row[i] = vpadalq_u8(s.row[i], counts(load_words(rows[i] + j, count), some)); }
    return s;
}

static inline int32x4_t four_dots(const uint8_t *const rows[block], size_t width, const uint8_t *query) {
    const uint8_t *planes = nexus_bit_plane_start(query);
    size_t stride = nexus_bit_plane(width), j = 0;
    uint16x8_t zero = vdupq_n_u16(0);
    sums s = {{zero, zero, zero, zero}};
    for (; j + step <= width; j += step) { s = add_counts(s, rows, j, step, planes, stride); }
    if (j < width) { s = add_counts(s, rows, j, width - j, planes, stride); }
    uint32x4_t first = vpaddq_u32(vpaddlq_u16(s.row[0]), vpaddlq_u16(s.row[1]));
    uint32x4_t second = vpaddq_u32(vpaddlq_u16(s.row[2]), vpaddlq_u16(s.row[3]));
    int32x4_t all = vreinterpretq_s32_u32(vpaddq_u32(first, second));
    return vsubq_s32(all, vdupq_n_s32(nexus_bit_shift(query)));
}

void nexus_bit_dots_neon(int32_t *out, const uint8_t *bits, size_t width, size_t rows, const uint8_t *query) {
    for (size_t i = 0; i < rows; i += block) {
        // Missing rows repeat the last, their results are dropped.
        const uint8_t *four[block];
        int32_t products[block];
        size_t wanted = rows - i < block ? rows - i : block;
        for (size_t r = 0; r < block; r++) { four[r] = bits + (r < wanted ? i + r : rows - 1) * width; }
        vst1q_s32(products, four_dots(four, width, query));
        memcpy(out + i, products, wanted * sizeof *out);
    }
}
#endif
