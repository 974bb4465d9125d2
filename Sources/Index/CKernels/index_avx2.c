// The index's kernels for processors with AVX2: products of a 4-bit and an 8-bit number are below 2^11, so sums of two
// pairs stay exact in the 16 bits of vpmaddubsw, which full 8-bit codes would not.
#if defined(__x86_64__)
#include <immintrin.h>
#include <math.h>
#include <string.h>

#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#include "bit_shared.h"

enum { step = 32, block = 4 };

// The last bytes of a row, zero beyond them.
static inline __m256i load_part(const uint8_t *p, size_t count) {
    uint8_t bytes[step] = {0};
    memcpy(bytes, p, count);
    return _mm256_loadu_si256((const __m256i *)bytes);
}

static inline __m256i load_row(const uint8_t *row, size_t j, size_t width) {
    return j + step <= width ? _mm256_loadu_si256((const __m256i *)(row + j)) : load_part(row + j, width - j);
}

// Sums of four products, in 16 bits.
static inline __m256i products(__m256i bytes, __m256i first, __m256i second) {
    __m256i mask = _mm256_set1_epi8(15);
    __m256i lower = _mm256_and_si256(bytes, mask), upper = _mm256_and_si256(_mm256_srli_epi16(bytes, 4), mask);
    return _mm256_add_epi16(_mm256_maddubs_epi16(lower, first), _mm256_maddubs_epi16(upper, second));
}

static inline int32_t sum(__m256i v) {
    __m128i s = _mm_add_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
    s = _mm_add_epi32(s, _mm_shuffle_epi32(s, 0x4E));
    return _mm_cvtsi128_si32(_mm_add_epi32(s, _mm_shuffle_epi32(s, 0xB1)));
}

// Up to four rows at once: their loads share those of the query.
static inline void dots(int32_t *out, const uint8_t *const rows[], size_t count, size_t width, const int8_t *query) {
    const __m256i ones = _mm256_set1_epi16(1);
    __m256i sums[block] = {_mm256_setzero_si256(), _mm256_setzero_si256(), _mm256_setzero_si256(),
                           _mm256_setzero_si256()};
    size_t part = nexus_part(width);
    for (size_t j = 0; j < width; j += step) {
        __m256i first = _mm256_loadu_si256((const __m256i *)(query + j));
        __m256i second = _mm256_loadu_si256((const __m256i *)(query + part + j));
        for (size_t i = 0; i < count; i++) {
            __m256i pairs = products(load_row(rows[i], j, width), first, second);
            sums[i] = _mm256_add_epi32(sums[i], _mm256_madd_epi16(pairs, ones));
        }
    }
    for (size_t i = 0; i < count; i++) { out[i] = sum(sums[i]); }
}

static void row_dots(int32_t *out, const uint8_t *const *rows, size_t count, size_t available, size_t width,
                     const int8_t *query) {
    size_t i = 0, ahead = nexus_index_rows_ahead(width);
    for (; i + block <= count; i += block) {
        for (size_t r = i + ahead; r < i + ahead + block && r < available; r++) { nexus_index_fetch(rows[r], width); }
        dots(out + i, rows + i, block, width, query);
    }
    for (; i < count; i++) { dots(out + i, rows + i, 1, width, query); }
}

// One row and up to four queries: the row is unpacked once for all of them.
static inline void query_dots(int32_t *out, size_t stride, const uint8_t *high, const uint8_t *low, size_t width,
                            const int8_t *queries, size_t count) {
    const __m256i ones = _mm256_set1_epi16(1), sixteens = _mm256_set1_epi16(16);
    __m256i sums[block] = {_mm256_setzero_si256(), _mm256_setzero_si256(), _mm256_setzero_si256(),
                           _mm256_setzero_si256()};
    size_t part = nexus_part(width);
    for (size_t j = 0; j < width; j += step) {
        __m256i h = load_row(high, j, width), l = load_row(low, j, width);
        for (size_t q = 0; q < count; q++) {
            const int8_t *query = queries + q * 2 * part + j;
            __m256i first = _mm256_loadu_si256((const __m256i *)query);
            __m256i second = _mm256_loadu_si256((const __m256i *)(query + part));
            __m256i upper = _mm256_madd_epi16(products(h, first, second), sixteens);
            __m256i lower = _mm256_madd_epi16(products(l, first, second), ones);
            sums[q] = _mm256_add_epi32(sums[q], _mm256_add_epi32(upper, lower));
        }
    }
    for (size_t q = 0; q < count; q++) { out[q * stride] = sum(sums[q]); }
}

static void batch_dots(int32_t *out, const uint8_t *high, const uint8_t *low, size_t width, size_t rows,
                       const int8_t *queries, size_t query_count, uint8_t *scratch) {
    (void)scratch;
    for (size_t q = 0; q < query_count; q += block) {
        const int8_t *some = queries + q * 2 * nexus_part(width);
        size_t count = query_count - q < block ? query_count - q : block;
        for (size_t i = 0; i < rows; i++) {
            int32_t *first = out + q * rows + i;
            if (count == block) {
                query_dots(first, rows, high + i * width, low + i * width, width, some, block);
            } else {
                query_dots(first, rows, high + i * width, low + i * width, width, some, count);
            }
        }
    }
}

static void bit_batch_dots(int32_t *out, const uint8_t *bits, size_t width, size_t rows, const uint8_t *queries,
                           size_t query_count, uint8_t *scratch) {
    (void)scratch;
    nexus_bit_batch_dots(out, bits, width, rows, queries, query_count, nexus_bit_dots_avx2);
}

const nexus_index_kernels nexus_index_kernels_avx2 = {
    .encode_row = nexus_encode_row,
    .encode_query = nexus_encode_query,
    .precise_dots = nexus_precise_dots,
    .row_dots = row_dots,
    .estimate = nexus_estimate,
    .reaching = nexus_reaching,
    .reaching_within = nexus_reaching_within,
    .high_mark = nexus_high_mark,
    .batch_dots = batch_dots,
    .rotate = nexus_rotate,
    .encode_bits = nexus_encode_bits,
    .encode_bit_query = nexus_encode_bit_query,
    .bit_dots = nexus_bit_dots_avx2,
    .bit_batch_dots = bit_batch_dots,
};
#pragma clang attribute pop
#endif
