// The product kernel of the compact form for processors with AVX2, where a shuffle looks up how many of four bits are
// set (Muła, Kurz and Lemire, The Computer Journal 61, 2018). The counts of all four planes, times their weights, fit
// into a byte: 8 · 15.
#if defined(__x86_64__)
#include <immintrin.h>

#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#include "bit_shared.h"

enum { step = 32 };

// Weighted counts of 32 bytes of a row, as bytes.
static inline __m256i counts(__m256i bits, const uint8_t *planes, size_t stride) {
    const __m256i table = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,  //
                                           0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
    const __m256i mask = _mm256_set1_epi8(15);
    __m256i total = _mm256_setzero_si256();
    for (int b = nexus_bit_planes - 1; b >= 0; b--) {
        __m256i plane = _mm256_loadu_si256((const __m256i *)(planes + (size_t)b * stride));
        __m256i different = _mm256_xor_si256(bits, plane);
        __m256i lower = _mm256_and_si256(different, mask);
        __m256i upper = _mm256_and_si256(_mm256_srli_epi16(different, 4), mask);
        __m256i count = _mm256_add_epi8(_mm256_shuffle_epi8(table, lower), _mm256_shuffle_epi8(table, upper));
        total = _mm256_add_epi8(_mm256_add_epi8(total, total), count);
    }
    return total;
}

// The last words of a row, zero beyond them.
static inline __m256i load_part(const uint8_t *p, size_t count) {
    __m256i used = _mm256_cmpgt_epi64(_mm256_set1_epi64x((long long)count), _mm256_setr_epi64x(0, 8, 16, 24));
    return _mm256_maskload_epi64((const long long *)p, used);
}

static inline int32_t row_dot(const uint8_t *row, size_t width, const uint8_t *planes) {
    const __m256i zero = _mm256_setzero_si256();
    size_t stride = nexus_bit_plane(width), j = 0;
    __m256i sums = zero;
    for (; j + step <= width; j += step) {
        __m256i bits = _mm256_loadu_si256((const __m256i *)(row + j));
        sums = _mm256_add_epi64(sums, _mm256_sad_epu8(counts(bits, planes + j, stride), zero));
    }
    if (j < width) {
        sums = _mm256_add_epi64(sums, _mm256_sad_epu8(counts(load_part(row + j, width - j), planes + j, stride), zero));
    }
    __m128i sum = _mm_add_epi64(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1));
    return _mm_cvtsi128_si32(_mm_add_epi64(sum, _mm_unpackhi_epi64(sum, sum)));
}

void nexus_bit_dots_avx2(int32_t *out, const uint8_t *bits, size_t width, size_t rows, const uint8_t *query) {
    for (size_t i = 0; i < rows; i++) {
        out[i] = row_dot(bits + i * width, width, nexus_bit_plane_start(query)) - nexus_bit_shift(query);
    }
}
#pragma clang attribute pop
#endif
