// The index's kernels for processors with AVX-512 VNNI: vpdpbusd adds four products of unsigned and signed bytes to a
// sum in 32 bits without saturation.
#if defined(__x86_64__)
#include <immintrin.h>
#include <math.h>
#include <string.h>

#pragma clang attribute push( \
    __attribute__((target("avx512f,avx512bw,avx512vl,avx512vnni,avx2,fma"))), apply_to = function)
#include "bit_shared.h"
#include "transpose.h"

// Rows that one loop multiplies together.
enum { block = 4, step = 64, nearest = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC };

// MARK: one query

typedef struct sums {
    __m512i row[block];
} sums;

static inline __m512i add_products(__m512i sum, __m512i bytes, __m512i first, __m512i second) {
    const __m512i mask = _mm512_set1_epi8(15);
    sum = _mm512_dpbusd_epi32(sum, _mm512_and_si512(bytes, mask), first);
    return _mm512_dpbusd_epi32(sum, _mm512_and_si512(_mm512_srli_epi16(bytes, 4), mask), second);
}

// Four sums of 16 lanes each become one vector of four sums.
static inline __m128i sum_lanes(sums s) {
    __m512i a = _mm512_add_epi32(_mm512_unpacklo_epi32(s.row[0], s.row[1]), _mm512_unpackhi_epi32(s.row[0], s.row[1]));
    __m512i b = _mm512_add_epi32(_mm512_unpacklo_epi32(s.row[2], s.row[3]), _mm512_unpackhi_epi32(s.row[2], s.row[3]));
    __m512i c = _mm512_add_epi32(_mm512_unpacklo_epi64(a, b), _mm512_unpackhi_epi64(a, b));
    __m256i d = _mm256_add_epi32(_mm512_castsi512_si256(c), _mm512_extracti64x4_epi64(c, 1));
    return _mm_add_epi32(_mm256_castsi256_si128(d), _mm256_extracti128_si256(d, 1));
}

// Products of four rows; as it goes, fetches four others. Fetches of addresses that are not there do no harm, so ends of
// rows are not looked at.
static inline __m128i four_dots(const uint8_t *const rows[block], const uint8_t *const later[block], size_t width,
                                const int8_t *query) {
    const int8_t *other = query + nexus_part(width);
    sums s = {{_mm512_setzero_si512(), _mm512_setzero_si512(), _mm512_setzero_si512(), _mm512_setzero_si512()}};
    size_t j = 0;
    for (; j + step <= width; j += step) {
        __m512i first = _mm512_loadu_si512(query + j), second = _mm512_loadu_si512(other + j);
        for (int i = 0; i < block; i++) {
            _mm_prefetch((const char *)later[i] + j, _MM_HINT_T0);
            s.row[i] = add_products(s.row[i], _mm512_loadu_si512(rows[i] + j), first, second);
        }
    }
    if (j < width) {
        __mmask64 mask = ~(__mmask64)0 >> (step - (width - j));
        __m512i first = _mm512_loadu_si512(query + j), second = _mm512_loadu_si512(other + j);
        for (int i = 0; i < block; i++) {
            _mm_prefetch((const char *)later[i] + j, _MM_HINT_T0);
            s.row[i] = add_products(s.row[i], _mm512_maskz_loadu_epi8(mask, rows[i] + j), first, second);
        }
    }
    return sum_lanes(s);
}

void nexus_row_dots_vnni(int32_t *out, const uint8_t *const *rows, size_t count, size_t available, size_t width,
                         const int8_t *query) {
    size_t i = 0, ahead = nexus_index_rows_ahead(width);
    for (; i + block <= count; i += block) {
        size_t later = i + ahead + block <= available ? i + ahead : i;
        _mm_storeu_si128((__m128i *)(out + i), four_dots(rows + i, rows + later, width, query));
    }
    if (i < count) {
        // The missing rows repeat the last, their results are dropped.
        const uint8_t *rest[block];
        for (size_t r = 0; r < block; r++) { rest[r] = rows[i + r < count ? i + r : count - 1]; }
        _mm_mask_storeu_epi32(out + i, (__mmask8)((1u << (count - i)) - 1), four_dots(rest, rest, width, query));
    }
}

// MARK: selection

// Sixteen rows at a time, the last ones under a mask: most groups are small.
float nexus_estimate_vnni(float *out, const int32_t *products, const float *factors, const float *tangents, size_t rows,
                          nexus_score_form form) {
    const __m512 scale = _mm512_set1_ps(form.scale);
    const __m512i offset = _mm512_set1_epi32(form.offset);
    __m512 largest = _mm512_setzero_ps();
    for (size_t row = 0; row < rows; row += nexus_lanes) {
        __mmask16 mask = rows - row >= nexus_lanes ? 0xFFFF : (__mmask16)((1u << (rows - row)) - 1);
        __m512i product = _mm512_maskz_loadu_epi32(mask, products + row);
        __m512 doubled = _mm512_cvtepi32_ps(_mm512_sub_epi32(_mm512_slli_epi32(product, 1), offset));
        __m512 factor = _mm512_mul_ps(scale, _mm512_maskz_loadu_ps(mask, factors + row));
        _mm512_mask_storeu_ps(out + row, mask, _mm512_mul_ps(factor, doubled));
        largest = _mm512_max_ps(largest, _mm512_maskz_loadu_ps(mask, tangents + row));
    }
    return _mm512_reduce_max_ps(largest);
}

// Writes the positions of set bits, counted from `start`; returns how many.
static inline size_t store_positions(uint32_t *found, size_t start, __mmask16 hits) {
    const __m512i lanes = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    __m512i positions = _mm512_add_epi32(lanes, _mm512_set1_epi32((int)start));
    size_t count = (size_t)__builtin_popcount(hits);
    // Moved together in a register first: some processors are slow at doing it in memory.
    _mm512_mask_storeu_epi32(found, (__mmask16)((1u << count) - 1), _mm512_maskz_compress_epi32(hits, positions));
    return count;
}

size_t nexus_reaching_vnni(uint32_t *found, const float *numbers, size_t count, float least) {
    const __m512 bar = _mm512_set1_ps(least);
    size_t total = 0;
    for (size_t start = 0; start < count; start += nexus_lanes) {
        __mmask16 mask = count - start >= nexus_lanes ? 0xFFFF : (__mmask16)((1u << (count - start)) - 1);
        __mmask16 hits = _mm512_mask_cmp_ps_mask(mask, _mm512_maskz_loadu_ps(mask, numbers + start), bar, _CMP_GE_OQ);
        if (hits) { total += store_positions(found + total, start, hits); }
    }
    return total;
}

size_t nexus_reaching_within_vnni(uint32_t *found, const float *numbers, const float *tangents, size_t count,
                                  float spread, float least) {
    const __m512 bar = _mm512_set1_ps(least), wide = _mm512_set1_ps(spread);
    size_t total = 0;
    for (size_t start = 0; start < count; start += nexus_lanes) {
        __mmask16 mask = count - start >= nexus_lanes ? 0xFFFF : (__mmask16)((1u << (count - start)) - 1);
        __m512 tangent = _mm512_maskz_loadu_ps(mask, tangents + start);
        // Not fused: the same in every set.
        __m512 reach = _mm512_add_round_ps(_mm512_maskz_loadu_ps(mask, numbers + start),
                                           _mm512_mul_round_ps(wide, tangent, nearest), nearest);
        __mmask16 hits = _mm512_mask_cmp_ps_mask(mask, reach, bar, _CMP_GE_OQ);
        total += store_positions(found + total, start, hits);
    }
    return total;
}

float nexus_high_mark_vnni(const float *numbers, size_t count, size_t wanted) {
    return nexus_high_mark(numbers, count, wanted);
}

// MARK: panels

// Codes of up to 16 rows from their two planes: `upper` chooses the halves of the bytes.
static inline void load_codes(__m512i v[16], const uint8_t *high, const uint8_t *low, size_t width, size_t rows,
                              __mmask64 mask, int upper) {
    const __m512i nibble = _mm512_set1_epi8(15);
    for (size_t i = 0; i < 16; i++) {
        if (i >= rows) {
            v[i] = _mm512_setzero_si512();
            continue;
        }
        __m512i h = _mm512_maskz_loadu_epi8(mask, high + i * width), l = _mm512_maskz_loadu_epi8(mask, low + i * width);
        v[i] = upper
            ? _mm512_or_si512(_mm512_andnot_si512(nibble, h), _mm512_and_si512(_mm512_srli_epi16(l, 4), nibble))
            : _mm512_or_si512(_mm512_andnot_si512(nibble, _mm512_slli_epi16(h, 4)), _mm512_and_si512(l, nibble));
    }
}

// Writes rows as full codes, transposed in pieces of four bytes: vector c of a panel holds components 4c to 4c + 3
// of 16 rows. A second lot of 16 rows follows the first.
void nexus_pack_panel(uint8_t *panel, const uint8_t *high, const uint8_t *low, size_t width, size_t rows) {
    size_t part = nexus_part(width);
    for (size_t start = 0; start < rows; start += 16, panel += 2 * part * 16) {
        size_t count = rows - start < 16 ? rows - start : 16;
        for (size_t j = 0; j < width; j += step) {
            __mmask64 mask = width - j >= step ? ~(__mmask64)0 : ~(__mmask64)0 >> (step - (width - j));
            for (int upper = 0; upper < 2; upper++) {
                __m512i v[16];
                load_codes(v, high + start * width + j, low + start * width + j, width, count, mask, upper);
                nexus_transpose(v);
                uint8_t *target = panel + (j + (size_t)upper * part) * 16;
                for (int i = 0; i < 16; i++) { _mm512_storeu_si512(target + i * step, v[i]); }
            }
        }
    }
}

// 32 rows of a panel and up to `some` queries: each code is loaded once for all queries, each query once for all rows.
enum { some = 12 };

static inline void panel_dots(int32_t *out, size_t stride, const uint8_t *panel, size_t length, size_t rows,
                              const int8_t *queries, const int count) {
    __m512i low[some], high[some];
    for (int q = 0; q < count; q++) { low[q] = high[q] = _mm512_setzero_si512(); }
    for (size_t c = 0; c < length; c += 4) {
        __m512i a = _mm512_loadu_si512(panel + c * 16), b = _mm512_loadu_si512(panel + (length + c) * 16);
        for (int q = 0; q < count; q++) {
            int32_t four;
            memcpy(&four, queries + (size_t)q * length + c, sizeof four);
            __m512i query = _mm512_set1_epi32(four);
            low[q] = _mm512_dpbusd_epi32(low[q], a, query);
            high[q] = _mm512_dpbusd_epi32(high[q], b, query);
        }
    }
    __mmask16 first = rows >= 16 ? 0xFFFF : (__mmask16)((1u << rows) - 1);
    __mmask16 second = rows <= 16 ? 0 : (__mmask16)((1u << (rows - 16)) - 1);
    for (int q = 0; q < count; q++) {
        _mm512_mask_storeu_epi32(out + (size_t)q * stride, first, low[q]);
        if (second) { _mm512_mask_storeu_epi32(out + (size_t)q * stride + 16, second, high[q]); }
    }
}

void nexus_batch_dots_vnni(int32_t *out, const uint8_t *high, const uint8_t *low, size_t width, size_t rows,
                           const int8_t *queries, size_t query_count, uint8_t *scratch) {
    size_t length = 2 * nexus_part(width);
    uint8_t *panel = scratch + (-(uintptr_t)scratch & (step - 1));
    for (size_t start = 0; start < rows; start += nexus_panel_rows) {
        size_t count = rows - start < nexus_panel_rows ? rows - start : nexus_panel_rows;
        nexus_pack_panel(panel, high + start * width, low + start * width, width, count);
        size_t q = 0;
        for (; q + some <= query_count; q += some) {
            panel_dots(out + q * rows + start, rows, panel, length, count, queries + q * length, some);
        }
        for (; q + 4 <= query_count; q += 4) {
            panel_dots(out + q * rows + start, rows, panel, length, count, queries + q * length, 4);
        }
        for (; q < query_count; q++) {
            panel_dots(out + q * rows + start, rows, panel, length, count, queries + q * length, 1);
        }
    }
}

static void bit_batch_dots(int32_t *out, const uint8_t *bits, size_t width, size_t rows, const uint8_t *queries,
                           size_t query_count, uint8_t *scratch) {
    (void)scratch;
    nexus_bit_batch_dots(out, bits, width, rows, queries, query_count, nexus_bit_dots_avx2);
}

const nexus_index_kernels nexus_index_kernels_vnni = {
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
    .bit_dots = nexus_bit_dots_avx2,
    .bit_batch_dots = bit_batch_dots,
};
#pragma clang attribute pop
#endif
