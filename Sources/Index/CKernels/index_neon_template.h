// The index's kernels with vectors of 16 bytes, included once for processors with dot-product instructions and once for
// those without. The including file defines
//   TABLE        the name of the table defined at the end
//   add_nibbles  adds to four sums the products of 16 numbers below 16 with `first`, and of 16 more with `second`
//   add_codes    adds to four sums the products of 16 signed numbers
#include "bit_shared.h"

enum { step = 16, block = 4 };

// Sums of up to four rows, each in four lanes.
typedef struct sums {
    int32x4_t row[block];
} sums;

// `count` bytes, zero beyond them.
static inline uint8x16_t load_bytes(const uint8_t *p, size_t count) {
    if (count == step) { return vld1q_u8(p); }
    uint8_t bytes[step] = {0};
    memcpy(bytes, p, count);
    return vld1q_u8(bytes);
}

static inline sums no_sums(void) {
    int32x4_t zero = vdupq_n_s32(0);
    return (sums){{zero, zero, zero, zero}};
}

// The sums of all lanes, row by row.
static inline int32x4_t sum_lanes(sums s) {
    return vpaddq_s32(vpaddq_s32(s.row[0], s.row[1]), vpaddq_s32(s.row[2], s.row[3]));
}

// MARK: one query

// Bytes j to j + count of four rows with the query, whose loads they share.
static inline sums add_plane(sums s, const uint8_t *const rows[block], size_t j, size_t count, const int8_t *first,
                             const int8_t *second) {
    int8x16_t one = vld1q_s8(first + j), other = vld1q_s8(second + j);
    for (int i = 0; i < block; i++) {
        uint8x16_t bytes = load_bytes(rows[i] + j, count);
        int8x16_t lower = vreinterpretq_s8_u8(vandq_u8(bytes, vdupq_n_u8(15)));
        s.row[i] = add_nibbles(s.row[i], lower, vreinterpretq_s8_u8(vshrq_n_u8(bytes, 4)), one, other);
    }
    return s;
}

static inline int32x4_t four_dots(const uint8_t *const rows[block], size_t width, const int8_t *query) {
    const int8_t *second = query + nexus_part(width);
    sums s = no_sums();
    size_t j = 0;
    for (; j + step <= width; j += step) { s = add_plane(s, rows, j, step, query, second); }
    if (j < width) { s = add_plane(s, rows, j, width - j, query, second); }
    return sum_lanes(s);
}

static void row_dots(int32_t *out, const uint8_t *const *rows, size_t count, size_t available, size_t width,
                     const int8_t *query) {
    size_t i = 0, ahead = nexus_index_rows_ahead(width);
    for (; i + block <= count; i += block) {
        for (size_t r = i + ahead; r < i + ahead + block && r < available; r++) { nexus_index_fetch(rows[r], width); }
        vst1q_s32(out + i, four_dots(rows + i, width, query));
    }
    if (i == count) { return; }
    // The missing rows repeat the last, their results are dropped.
    const uint8_t *rest[block];
    int32_t products[block];
    for (size_t r = 0; r < block; r++) { rest[r] = rows[i + r < count ? i + r : count - 1]; }
    vst1q_s32(products, four_dots(rest, width, query));
    memcpy(out + i, products, (count - i) * sizeof *out);
}

// MARK: batches

// Codes c of up to four rows as c - 128, which signed products can take: 128 times the query's sum is added in the end.
typedef struct codes {
    int8x16_t lower[block], upper[block];
} codes;

static inline codes load_codes(const uint8_t *const high[block], const uint8_t *const low[block], size_t j,
                               size_t count) {
    codes c;
    for (int i = 0; i < block; i++) {
        uint8x16_t h = load_bytes(high[i] + j, count), l = load_bytes(low[i] + j, count), middle = vdupq_n_u8(128);
        c.lower[i] = vreinterpretq_s8_u8(veorq_u8(vsliq_n_u8(l, h, 4), middle));
        c.upper[i] = vreinterpretq_s8_u8(veorq_u8(vsriq_n_u8(h, l, 4), middle));
    }
    return c;
}

static inline sums add_products(sums s, const codes *c, const int8_t *first, const int8_t *second) {
    int8x16_t one = vld1q_s8(first), other = vld1q_s8(second);
    for (int i = 0; i < block; i++) {
        s.row[i] = add_codes(add_codes(s.row[i], c->lower[i], one), c->upper[i], other);
    }
    return s;
}

static inline int32_t query_sum(const int8_t *query, size_t length) {
    int32x4_t sum = vdupq_n_s32(0);
    for (size_t j = 0; j < length; j += step) { sum = add_codes(sum, vld1q_s8(query + j), vdupq_n_s8(1)); }
    return vaddvq_s32(sum);
}

// Four rows and `count` queries, 1 to 4: each code is loaded once for all queries, each query once for all rows. The
// products of a query are written `stride` numbers after those of the one before, `wanted` of them.
static inline __attribute__((always_inline)) void block_dots(int32_t *out, size_t stride, size_t wanted,
                                                             const uint8_t *const high[block],
                                                             const uint8_t *const low[block], size_t width,
                                                             const int8_t *queries, const int32_t *query_sums,
                                                             const size_t count) {
    size_t part = nexus_part(width);
    sums s[block] = {no_sums(), no_sums(), no_sums(), no_sums()};
    for (size_t j = 0; j < width; j += step) {
        codes c = j + step <= width ? load_codes(high, low, j, step) : load_codes(high, low, j, width - j);
        for (size_t q = 0; q < count; q++) {
            const int8_t *query = queries + q * 2 * part + j;
            s[q] = add_products(s[q], &c, query, query + part);
        }
    }
    for (size_t q = 0; q < count; q++) {
        int32_t products[block];
        vst1q_s32(products, vaddq_s32(sum_lanes(s[q]), vdupq_n_s32(128 * query_sums[q])));
        memcpy(out + q * stride, products, wanted * sizeof *out);
    }
}

// All rows and `count` queries. Rows that are missing from the last block repeat the last row.
static inline __attribute__((always_inline)) void queries_dots(int32_t *out, const uint8_t *high, const uint8_t *low,
                                                               size_t width, size_t rows, const int8_t *queries,
                                                               const size_t count) {
    size_t length = 2 * nexus_part(width);
    int32_t query_sums[block];
    for (size_t q = 0; q < count; q++) { query_sums[q] = query_sum(queries + q * length, length); }
    for (size_t i = 0; i < rows; i += block) {
        const uint8_t *first[block], *second[block];
        size_t wanted = rows - i < block ? rows - i : block;
        for (size_t r = 0; r < block; r++) {
            size_t row = r < wanted ? i + r : rows - 1;
            first[r] = high + row * width;
            second[r] = low + row * width;
        }
        block_dots(out + i, rows, wanted, first, second, width, queries, query_sums, count);
    }
}

static void batch_dots(int32_t *out, const uint8_t *high, const uint8_t *low, size_t width, size_t rows,
                       const int8_t *queries, size_t query_count, uint8_t *scratch) {
    (void)scratch;
    size_t length = 2 * nexus_part(width), q = 0;
    for (; q + block <= query_count; q += block) {
        queries_dots(out + q * rows, high, low, width, rows, queries + q * length, block);
    }
    for (; q < query_count; q++) { queries_dots(out + q * rows, high, low, width, rows, queries + q * length, 1); }
}

static void bit_batch_dots(int32_t *out, const uint8_t *bits, size_t width, size_t rows, const uint8_t *queries,
                           size_t query_count, uint8_t *scratch) {
    (void)scratch;
    nexus_bit_batch_dots(out, bits, width, rows, queries, query_count, nexus_bit_dots_neon);
}

const nexus_index_kernels TABLE = {
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
    .bit_dots = nexus_bit_dots_neon,
    .bit_batch_dots = bit_batch_dots,
};
