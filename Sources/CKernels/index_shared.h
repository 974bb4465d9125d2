// What the index's kernels share: their tables, the padding of queries and panels, and the encoding of a row, which is
// compiled for each instruction set.
#ifndef NEXUS_INDEX_SHARED_H
#define NEXUS_INDEX_SHARED_H

#include "index_kernels.h"

#include <math.h>
#include <string.h>

// Rows of one panel of `batch_dots`, and the bytes that parts of a query are padded to: the widest vector.
enum { nexus_panel_rows = 32, nexus_part_unit = 64 };

extern const nexus_index_kernels nexus_index_kernels_portable;
#if defined(__x86_64__)
extern const nexus_index_kernels nexus_index_kernels_avx2;
extern const nexus_index_kernels nexus_index_kernels_vnni;
extern const nexus_index_kernels nexus_index_kernels_bitalg;
extern const nexus_index_kernels nexus_index_kernels_amx;
// Parts of the VNNI table that richer tables take over.
void nexus_plane_dots_vnni(int32_t *out, const uint8_t *plane, size_t width, size_t rows, const int8_t *query);
void nexus_plane_dots_at_vnni(int32_t *out, const uint8_t *plane, size_t width, const uint32_t *rows, size_t count,
                              const int8_t *query);
void nexus_batch_dots_vnni(int32_t *out, const uint8_t *high, const uint8_t *low, size_t width, size_t rows,
                           const int8_t *queries, size_t query_count, uint8_t *scratch);
void nexus_pack_panel(uint8_t *panel, const uint8_t *high, const uint8_t *low, size_t width, size_t rows);
#endif

static inline size_t nexus_part(size_t width) {
    return (width + nexus_part_unit - 1) / nexus_part_unit * nexus_part_unit;
}

// MARK: encoding

enum { nexus_lanes = 16 };

// Sums of squared differences in lanes; every loop over a whole number of lanes is one that compilers vectorise.
typedef struct nexus_encoding {
    float scale, inverse;
    float coarse[nexus_lanes], fine[nexus_lanes];
} nexus_encoding;

// Encodes nexus_lanes floats.
static inline void nexus_encode_lanes(nexus_encoding *e, uint8_t *codes, const float *x) {
#pragma STDC FP_CONTRACT OFF  // fused in some sets only, a product would be rounded to another code
    for (int i = 0; i < nexus_lanes; i++) {
        // At least zero, so that cutting off rounds down; the largest component would give 256.
        int code = (int)(x[i] * e->inverse + 128.0f);
        code = code < 0 ? 0 : code > 255 ? 255 : code;
        codes[i] = (uint8_t)code;
        float fine = x[i] - e->scale * ((float)code - 127.5f);
        float coarse = x[i] - e->scale * ((float)(code & 0xF0) - 120.0f);
        e->fine[i] += fine * fine;
        e->coarse[i] += coarse * coarse;
    }
}

// Encodes up to nexus_lanes floats; the differences of the missing ones are taken back out by starting anew at them.
static inline void nexus_encode_part(nexus_encoding *e, uint8_t *codes, const float *x, size_t count) {
    float padded[nexus_lanes] = {0};
    uint8_t padded_codes[nexus_lanes];
    nexus_encoding before = *e;
    memcpy(padded, x, count * sizeof *x);
    nexus_encode_lanes(e, padded_codes, padded);
    memcpy(codes, padded_codes, count);
    for (size_t i = count; i < nexus_lanes; i++) {
        e->fine[i] = before.fine[i];
        e->coarse[i] = before.coarse[i];
    }
}

static inline void nexus_encode_span(nexus_encoding *e, uint8_t *codes, const float *x, size_t count) {
    size_t i = 0;
    for (; i + nexus_lanes <= count; i += nexus_lanes) { nexus_encode_lanes(e, codes + i, x + i); }
    if (i < count) { nexus_encode_part(e, codes + i, x + i, count - i); }
}

static inline float nexus_largest(const float *x, size_t count) {
    float lanes[nexus_lanes] = {0};
    size_t i = 0;
    for (; i + nexus_lanes <= count; i += nexus_lanes) {
        for (int j = 0; j < nexus_lanes; j++) {
            float magnitude = fabsf(x[i + j]);
            lanes[j] = magnitude > lanes[j] ? magnitude : lanes[j];
        }
    }
    float largest = 0;
    for (; i < count; i++) { largest = fabsf(x[i]) > largest ? fabsf(x[i]) : largest; }
    for (int j = 0; j < nexus_lanes; j++) { largest = lanes[j] > largest ? lanes[j] : largest; }
    return largest;
}

// The length whose square lies in lanes, rounded up. A lane adds at most 1024 squares, so its sum is off by 1024 · 2^-24
// of itself at most; each difference is off by less than 2^-23 of the row's largest component.
static inline float nexus_length_bound(const float *lanes, float largest, size_t count) {
    double sum = 0;
    for (int i = 0; i < nexus_lanes; i++) { sum += lanes[i]; }
    return (float)(sqrt(sum) * 1.0002 + sqrt((double)count) * largest * 0x1p-22);
}

static inline nexus_row_code nexus_encode_row(uint8_t *high, uint8_t *low, const float *row, size_t count) {
    enum { chunk = 256 };
    uint8_t first[chunk], second[chunk];
    size_t width = (count + 1) / 2;
    float largest = nexus_largest(row, count);
    nexus_encoding e = {.scale = largest / 128, .inverse = 128 / largest};
    for (size_t start = 0; start < width; start += chunk) {
        size_t length = width - start < chunk ? width - start : chunk;
        size_t rest = count - width - start < length ? count - width - start : length;
        nexus_encode_span(&e, first, row + start, length);
        if (rest < length) { second[rest] = 0; }
        nexus_encode_span(&e, second, row + width + start, rest);
        for (size_t j = 0; j < length; j++) {
            high[start + j] = (uint8_t)(first[j] >> 4 | (second[j] & 0xF0));
            low[start + j] = (uint8_t)((first[j] & 0x0F) | second[j] << 4);
        }
    }
    return (nexus_row_code){
        .scale = e.scale,
        .coarse_error = nexus_length_bound(e.coarse, largest, count),
        .fine_error = nexus_length_bound(e.fine, largest, count),
    };
}

static inline nexus_query_code nexus_encode_query(int8_t *codes, const float *query, size_t count) {
    size_t width = (count + 1) / 2, part = nexus_part(width);
    float largest = nexus_largest(query, count);
    float scale = largest / 127, inverse = 127 / largest, errors[nexus_lanes] = {0};
    int32_t sums[nexus_lanes] = {0}, squares[nexus_lanes] = {0};
    memset(codes, 0, 2 * part);
    for (int half = 0; half < 2; half++) {
        const float *x = query + (half ? width : 0);
        size_t rest = half ? count - width : width;
        for (int8_t *out = codes + (half ? part : 0); rest > 0; out += nexus_lanes, x += nexus_lanes) {
            float lanes[nexus_lanes] = {0};
            size_t length = rest < nexus_lanes ? rest : nexus_lanes;
            memcpy(lanes, x, length * sizeof *x);
            for (int i = 0; i < nexus_lanes; i++) {
                int code = (int)(lanes[i] * inverse + (lanes[i] < 0 ? -0.5f : 0.5f));
                code = code < -127 ? -127 : code > 127 ? 127 : code;
                float error = lanes[i] - scale * (float)code;
                out[i] = (int8_t)code;
                sums[i] += code;
                squares[i] += code * code;
                errors[i] += error * error;
            }
            rest -= length;
        }
    }
    nexus_query_code result = {.scale = scale, .error = nexus_length_bound(errors, largest, count)};
    double square = 0;
    for (int i = 0; i < nexus_lanes; i++) {
        square += squares[i];
        result.sum += sums[i];
    }
    result.norm = (float)(sqrt(square) * scale * 1.000001);
    return result;
}

// MARK: final scores

typedef float nexus_four_floats __attribute__((vector_size(16)));
typedef double nexus_four __attribute__((vector_size(32)));

// A product of two floats is exact in double precision, so it does not matter whether it is fused with the addition.
static inline void nexus_precise_dots(double out[4], const float *const rows[4], const float *query, size_t count) {
    nexus_four sums[4] = {{0}, {0}, {0}, {0}};
    size_t i = 0;
    for (; i + 4 <= count; i += 4) {
        nexus_four_floats four, others;
        memcpy(&four, query + i, sizeof four);
        for (int r = 0; r < 4; r++) {
            memcpy(&others, rows[r] + i, sizeof others);
            sums[r] += __builtin_convertvector(others, nexus_four) * __builtin_convertvector(four, nexus_four);
        }
    }
    for (int r = 0; r < 4; r++) {
        for (size_t j = i; j < count; j++) { sums[r][0] += (double)rows[r][j] * (double)query[j]; }
        out[r] = (sums[r][0] + sums[r][1]) + (sums[r][2] + sums[r][3]);
    }
}

// MARK: selection

static inline float nexus_upper_bound(int32_t product, float scale, float error, nexus_score_form form) {
    return form.factor * scale * (float)(2 * product - form.offset) + (form.norm * error + form.slack);
}

// Most rounds of nexus_lanes rows find none, so the numbers are written by plain code.
static inline size_t nexus_reaching(uint32_t *found, const int32_t *products, const float *scales, const float *errors,
                                    size_t rows, nexus_score_form form, float limit) {
    size_t count = 0, row = 0;
    for (; row + nexus_lanes <= rows; row += nexus_lanes) {
        int any = 0;
        for (int i = 0; i < nexus_lanes; i++) {
            any |= nexus_upper_bound(products[row + i], scales[row + i], errors[row + i], form) >= limit;
        }
        if (!any) { continue; }
        for (int i = 0; i < nexus_lanes; i++) {
            found[count] = (uint32_t)(row + i);
            count += nexus_upper_bound(products[row + i], scales[row + i], errors[row + i], form) >= limit;
        }
    }
    for (; row < rows; row++) {
        found[count] = (uint32_t)row;
        count += nexus_upper_bound(products[row], scales[row], errors[row], form) >= limit;
    }
    return count;
}

#endif
