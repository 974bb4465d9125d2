// The product kernel of the compact form for processors that count bits in vectors (AVX-512 BITALG): vpopcntb counts
// bytes, vpdpbusd multiplies the counts with the weight of the query's plane and adds them to sums of 32 bits.
// 100,000 rows of 1536 components take 1.1 times what reading them takes. Queries of 6 bits would take 1.5 times as
// long as those of 4, for estimates whose deviation is 2 % smaller.
#if defined(__x86_64__)
#include <immintrin.h>

#pragma clang attribute push( \
    __attribute__((target("avx512f,avx512bw,avx512vl,avx512vnni,avx512bitalg,avx2,fma"))), apply_to = function)
#include "bit_shared.h"

// Rows that one loop multiplies together, and how far ahead it fetches.
enum { block = 4, step = 64, fetched = 3072 };

typedef struct sums {
    __m512i row[block];
} sums;

// Four sums of 16 lanes each become one vector of four sums.
static inline __m128i sum_lanes(sums s) {
    __m512i a = _mm512_add_epi32(_mm512_unpacklo_epi32(s.row[0], s.row[1]), _mm512_unpackhi_epi32(s.row[0], s.row[1]));
    __m512i b = _mm512_add_epi32(_mm512_unpacklo_epi32(s.row[2], s.row[3]), _mm512_unpackhi_epi32(s.row[2], s.row[3]));
    __m512i c = _mm512_add_epi32(_mm512_unpacklo_epi64(a, b), _mm512_unpackhi_epi64(a, b));
    __m256i d = _mm256_add_epi32(_mm512_castsi512_si256(c), _mm512_extracti64x4_epi64(c, 1));
    return _mm_add_epi32(_mm256_castsi256_si128(d), _mm256_extracti128_si256(d, 1));
}

static inline __m512i add_counts(__m512i sum, __m512i bits, const __m512i planes[nexus_bit_planes]) {
    for (int b = 0; b < nexus_bit_planes; b++) {
        __m512i counts = _mm512_popcnt_epi8(_mm512_xor_si512(bits, planes[b]));
        sum = _mm512_dpbusd_epi32(sum, counts, _mm512_set1_epi8((char)(1 << b)));
    }
    return sum;
}

static inline void load_planes(__m512i planes[nexus_bit_planes], const uint8_t *start, size_t stride) {
    for (size_t b = 0; b < nexus_bit_planes; b++) { planes[b] = _mm512_loadu_si512(start + b * stride); }
}

static inline __m128i four_dots(const uint8_t *const rows[block], size_t width, const uint8_t *planes, int fetches) {
    size_t stride = nexus_bit_plane(width), j = 0;
    __m512i some[nexus_bit_planes];
    sums s = {{_mm512_setzero_si512(), _mm512_setzero_si512(), _mm512_setzero_si512(), _mm512_setzero_si512()}};
    for (; j + step <= width; j += step) {
        load_planes(some, planes + j, stride);
        for (int i = 0; i < block; i++) {
            if (fetches) { _mm_prefetch((const char *)rows[i] + j + fetched, _MM_HINT_T0); }
            s.row[i] = add_counts(s.row[i], _mm512_loadu_si512(rows[i] + j), some);
        }
    }
    if (j < width) {
        __mmask8 mask = (__mmask8)(0xFF >> (8 - (width - j) / 8));
        load_planes(some, planes + j, stride);
        for (int i = 0; i < block; i++) {
            if (fetches) { _mm_prefetch((const char *)rows[i] + j + fetched, _MM_HINT_T0); }
            s.row[i] = add_counts(s.row[i], _mm512_maskz_loadu_epi64(mask, rows[i] + j), some);
        }
    }
    return sum_lanes(s);
}

void nexus_bit_dots_bitalg(int32_t *out, const uint8_t *bits, size_t width, size_t rows, const uint8_t *query) {
    const uint8_t *planes = nexus_bit_plane_start(query);
    const __m128i shift = _mm_set1_epi32(nexus_bit_shift(query));
    size_t i = 0;
    for (; i + block <= rows; i += block) {
        const uint8_t *row = bits + i * width;
        const uint8_t *const four[block] = {row, row + width, row + 2 * width, row + 3 * width};
        __m128i sums = (rows - i - block) * width >= fetched ? four_dots(four, width, planes, 1)
                                                             : four_dots(four, width, planes, 0);
        _mm_storeu_si128((__m128i *)(out + i), _mm_sub_epi32(sums, shift));
    }
    if (i < rows) {
        const uint8_t *rest[block];
        for (size_t j = 0; j < block; j++) { rest[j] = bits + (i + j < rows ? i + j : rows - 1) * width; }
        __m128i sums = _mm_sub_epi32(four_dots(rest, width, planes, 0), shift);
        _mm_mask_storeu_epi32(out + i, (__mmask8)((1u << (rows - i)) - 1), sums);
    }
}

static void bit_batch_dots(int32_t *out, const uint8_t *bits, size_t width, size_t rows, const uint8_t *queries,
                           size_t query_count, uint8_t *scratch) {
    (void)scratch;
    nexus_bit_batch_dots(out, bits, width, rows, queries, query_count, nexus_bit_dots_bitalg);
}

const nexus_index_kernels nexus_index_kernels_bitalg = {
    .encode_row = nexus_encode_row,
    .encode_query = nexus_encode_query,
    .precise_dots = nexus_precise_dots,
    .row_dots = nexus_row_dots_vnni,
    .estimate = nexus_estimate_vnni,
    .reaching = nexus_reaching_vnni,
    .reaching_within = nexus_reaching_within_vnni,
    .high_mark = nexus_high_mark_vnni,
    .batch_dots = nexus_batch_dots_vnni,
    .rotate = nexus_rotate,
    .encode_bits = nexus_encode_bits,
    .encode_bit_query = nexus_encode_bit_query,
    .bit_dots = nexus_bit_dots_bitalg,
    .bit_batch_dots = bit_batch_dots,
};
#pragma clang attribute pop
#endif
