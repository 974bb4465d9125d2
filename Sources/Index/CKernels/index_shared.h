// What the index's kernels share: their tables, the padding of queries and panels, and the encoding of a row, which is
// compiled for each instruction set.
#ifndef NEXUS_INDEX_SHARED_H
#define NEXUS_INDEX_SHARED_H

#include "index_kernels.h"

#include <float.h>
#include <math.h>
#include <string.h>

// Rows of one panel of `batch_dots`, and the bytes that parts of a query are padded to: the widest vector.
enum { nexus_panel_rows = 32, nexus_part_unit = 64 };

extern const nexus_index_kernels nexus_index_kernels_portable;
#if defined(__aarch64__)
extern const nexus_index_kernels nexus_index_kernels_neon;
extern const nexus_index_kernels nexus_index_kernels_neon_dot;
#endif
#if defined(__x86_64__)
extern const nexus_index_kernels nexus_index_kernels_avx2;
extern const nexus_index_kernels nexus_index_kernels_vnni;
extern const nexus_index_kernels nexus_index_kernels_bitalg;
extern const nexus_index_kernels nexus_index_kernels_amx;
// Parts of the VNNI table that richer tables take over.
void nexus_row_dots_vnni(int32_t *out, const uint8_t *const *rows, size_t count, size_t available, size_t width,
                         const int8_t *query);
float nexus_estimate_vnni(float *out, const int32_t *products, const float *factors, const float *tangents, size_t rows,
                          nexus_score_form form);
size_t nexus_reaching_vnni(uint32_t *found, const float *numbers, size_t count, float least);
size_t nexus_reaching_within_vnni(uint32_t *found, const float *numbers, const float *tangents, size_t count,
                                  float spread, float least);
float nexus_high_mark_vnni(const float *numbers, size_t count, size_t wanted);
void nexus_batch_dots_vnni(int32_t *out, const uint8_t *high, const uint8_t *low, size_t width, size_t rows,
                           const int8_t *queries, size_t query_count, uint8_t *scratch);
void nexus_pack_panel(uint8_t *panel, const uint8_t *high, const uint8_t *low, size_t width, size_t rows);
#endif

static inline size_t nexus_part(size_t width) {
    return (width + nexus_part_unit - 1) / nexus_part_unit * nexus_part_unit;
}

// MARK: encoding

enum { nexus_lanes = 16 };

// Sums of one kind of code in lanes; every loop over a whole number of lanes is one that compilers vectorise.
typedef struct nexus_code_sums {
    // Of x times code, and of code squared: the latter are multiples of 1/4 and exact up to 64 steps of lanes.
    float product[nexus_lanes], square[nexus_lanes];
} nexus_code_sums;

typedef struct nexus_encoding {
    float inverse;
    nexus_code_sums coarse, fine;
} nexus_encoding;

// Encodes nexus_lanes floats.
static inline void nexus_encode_lanes(nexus_encoding *e, uint8_t *codes, const float *x) {
#pragma STDC FP_CONTRACT OFF  // fused in some sets only, a product would be rounded to another code
    for (int i = 0; i < nexus_lanes; i++) {
        // At least zero, so that cutting off rounds down; components beyond the scale take the outermost code.
        float position = x[i] * e->inverse + 128.0f;
        position = position < 0 ? 0 : position > 255 ? 255 : position;
        int code = (int)position;
        codes[i] = (uint8_t)code;
        float fine = (float)code - 127.5f, coarse = (float)(code >> 4) - 7.5f;
        e->fine.product[i] += x[i] * fine;
        e->fine.square[i] += fine * fine;
        e->coarse.product[i] += x[i] * coarse;
        e->coarse.square[i] += coarse * coarse;
    }
}

static inline void nexus_restore_lanes(nexus_code_sums *sums, const nexus_code_sums *before, size_t first) {
    for (size_t i = first; i < nexus_lanes; i++) {
        sums->product[i] = before->product[i];
        sums->square[i] = before->square[i];
    }
}

// Encodes up to nexus_lanes floats; the sums of the missing ones are taken back.
static inline void nexus_encode_part(nexus_encoding *e, uint8_t *codes, const float *x, size_t count) {
    float padded[nexus_lanes] = {0};
    uint8_t padded_codes[nexus_lanes];
    nexus_encoding before = *e;
    memcpy(padded, x, count * sizeof *x);
    nexus_encode_lanes(e, padded_codes, padded);
    memcpy(codes, padded_codes, count);
    nexus_restore_lanes(&e->fine, &before.fine, count);
    nexus_restore_lanes(&e->coarse, &before.coarse, count);
}

static inline void nexus_encode_span(nexus_encoding *e, uint8_t *codes, const float *x, size_t count) {
    // A copy, which no store to the codes can be taken to change.
    nexus_encoding sums = *e;
    size_t i = 0;
    for (; i + nexus_lanes <= count; i += nexus_lanes) { nexus_encode_lanes(&sums, codes + i, x + i); }
    if (i < count) { nexus_encode_part(&sums, codes + i, x + i, count - i); }
    *e = sums;
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

// The squares of what lies beyond ±limit.
static inline float nexus_clipped_square(const float *x, size_t count, float limit) {
#pragma STDC FP_CONTRACT OFF  // the range, and with it the codes, are to be the same in every set
    float lanes[nexus_lanes] = {0}, sum = 0;
    size_t i = 0;
    for (; i + nexus_lanes <= count; i += nexus_lanes) {
        for (int j = 0; j < nexus_lanes; j++) {
            float beyond = fabsf(x[i + j]) - limit;
            beyond = beyond > 0 ? beyond : 0;
            lanes[j] += beyond * beyond;
        }
    }
    for (; i < count; i++) { sum += fabsf(x[i]) > limit ? (fabsf(x[i]) - limit) * (fabsf(x[i]) - limit) : 0; }
    for (int j = 0; j < nexus_lanes; j++) { sum += lanes[j]; }
    return sum;
}

// The largest magnitude that codes tell apart. A smaller one makes the steps of the high plane finer and cuts off more:
// the best for normally distributed components is near 3 times their root mean square for the high plane alone, more for
// both; rows with a few large
// components need more.
static inline float nexus_code_range(const float *x, size_t count) {
#pragma STDC FP_CONTRACT OFF
    static const float candidates[] = {3.5f, 5, 7, 10, 14};
    float largest = nexus_largest(x, count), square = nexus_clipped_square(x, count, 0);
    float rms = sqrtf(square / (float)count), best = largest;
    // Steps of the high plane are an eighth of the range, errors spread evenly over a step have its square / 12.
    float step_square = (float)count / (64 * 12), least = largest * largest * step_square;
    for (size_t i = 0; i < sizeof candidates / sizeof *candidates && candidates[i] * rms < largest; i++) {
        float range = candidates[i] * rms;
        float error = range * range * step_square + nexus_clipped_square(x, count, range);
        if (error < least) {
            least = error;
            best = range;
        }
    }
    return best;
}

// Sums over a whole row.
typedef struct nexus_row_sums {
    double product, square;
} nexus_row_sums;

static inline void nexus_flush(nexus_row_sums *sums, nexus_code_sums *lanes) {
    for (int i = 0; i < nexus_lanes; i++) {
        sums->product += lanes->product[i];
        sums->square += lanes->square[i];
        lanes->product[i] = lanes->square[i] = 0;
    }
}

// With x of length 1 and c the code as a vector: the factor 1 / (2 <x, c>), and the tangent of the angle between x and
// c, rounded up. <x, c> is off by 2^-19 of itself at most: 32 floats are added in a lane at a time.
static inline void nexus_finish_code(nexus_row_sums sums, float *factor, float *tangent) {
    *factor = (float)(0.5 / sums.product);
    double inverse_cosine_square = sums.square / (sums.product * sums.product) * (1 + 0x1.8p-18);
    *tangent = (float)(sqrt(inverse_cosine_square > 1 ? inverse_cosine_square - 1 : 0) * 1.000001);
}

static inline nexus_row_code nexus_encode_row(uint8_t *high, uint8_t *low, const float *row, size_t count) {
    enum { chunk = 256 };
    uint8_t first[chunk], second[chunk];
    size_t width = (count + 1) / 2;
    nexus_encoding e = {.inverse = 128 / nexus_code_range(row, count)};
    nexus_row_sums coarse = {0, 0}, fine = {0, 0};
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
        nexus_flush(&coarse, &e.coarse);
        nexus_flush(&fine, &e.fine);
    }
    nexus_row_code code;
    nexus_finish_code(coarse, &code.coarse_factor, &code.coarse_tangent);
    nexus_finish_code(fine, &code.fine_factor, &code.fine_tangent);
    return code;
}

// The length whose square lies in lanes, rounded up. A lane adds at most 1024 squares, so its sum is off by 1024 · 2^-24
// of itself at most; each difference is off by less than 2^-23 of the vector's largest component.
static inline float nexus_length_bound(const float *lanes, float largest, size_t count) {
    double sum = 0;
    for (int i = 0; i < nexus_lanes; i++) { sum += lanes[i]; }
    return (float)(sqrt(sum) * 1.0002 + sqrt((double)count) * largest * 0x1p-22);
}

static inline nexus_query_code nexus_encode_query(int8_t *codes, const float *query, size_t count) {
    size_t width = (count + 1) / 2, part = nexus_part(width);
    float largest = nexus_largest(query, count);
    float scale = largest / 127, inverse = 127 / largest, errors[nexus_lanes] = {0};
    int32_t sums[nexus_lanes] = {0};
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
                errors[i] += error * error;
            }
            rest -= length;
        }
    }
    nexus_query_code result = {.scale = scale, .error = nexus_length_bound(errors, largest, count)};
    for (int i = 0; i < nexus_lanes; i++) { result.sum += sums[i]; }
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

static inline float nexus_estimate(float *out, const int32_t *products, const float *factors, const float *tangents,
                                   size_t rows, nexus_score_form form) {
#pragma STDC FP_CONTRACT OFF  // the same in every set
    float largest = 0;
    for (size_t i = 0; i < rows; i++) {
        out[i] = form.scale * factors[i] * (float)(2 * products[i] - form.offset);
        largest = tangents[i] > largest ? tangents[i] : largest;
    }
    return largest;
}

// Most rounds of nexus_lanes numbers find none, so the positions are written by plain code.
static inline size_t nexus_reaching(uint32_t *found, const float *numbers, size_t count, float least) {
    size_t total = 0, start = 0;
    for (; start + nexus_lanes <= count; start += nexus_lanes) {
        int any = 0;
        for (int i = 0; i < nexus_lanes; i++) { any |= numbers[start + i] >= least; }
        if (!any) { continue; }
        for (int i = 0; i < nexus_lanes; i++) {
            found[total] = (uint32_t)(start + i);
            total += numbers[start + i] >= least;
        }
    }
    for (; start < count; start++) {
        found[total] = (uint32_t)start;
        total += numbers[start] >= least;
    }
    return total;
}

static inline size_t nexus_reaching_within(uint32_t *found, const float *numbers, const float *tangents, size_t count,
                                           float spread, float least) {
#pragma STDC FP_CONTRACT OFF  // the same in every set
    size_t total = 0;
    for (size_t i = 0; i < count; i++) {
        found[total] = (uint32_t)i;
        total += numbers[i] + spread * tangents[i] >= least;
    }
    return total;
}

static inline size_t nexus_count_reaching(const float *numbers, size_t count, float least) {
    uint32_t lanes[nexus_lanes] = {0};
    size_t i = 0, total = 0;
    for (; i + nexus_lanes <= count; i += nexus_lanes) {
        for (int j = 0; j < nexus_lanes; j++) { lanes[j] += numbers[i + j] >= least; }
    }
    for (; i < count; i++) { total += numbers[i] >= least; }
    for (int j = 0; j < nexus_lanes; j++) { total += lanes[j]; }
    return total;
}

// By halving the range that the mark lies in, which costs the same whatever the numbers: a sorted list of the best costs
// a wrong guess of the processor for most of its members.
static inline float nexus_high_mark(const float *numbers, size_t count, size_t wanted) {
    enum { halvings = 16 };
    float lows[nexus_lanes], highs[nexus_lanes], low = FLT_MAX, high = -FLT_MAX;
    for (int j = 0; j < nexus_lanes; j++) {
        lows[j] = FLT_MAX;
        highs[j] = -FLT_MAX;
    }
    size_t i = 0;
    for (; i + nexus_lanes <= count; i += nexus_lanes) {
        for (int j = 0; j < nexus_lanes; j++) {
            float number = numbers[i + j], finite = number >= -FLT_MAX ? number : FLT_MAX;
            lows[j] = finite < lows[j] ? finite : lows[j];
            highs[j] = number > highs[j] ? number : highs[j];
        }
    }
    for (; i < count; i++) {
        low = numbers[i] >= -FLT_MAX && numbers[i] < low ? numbers[i] : low;
        high = numbers[i] > high ? numbers[i] : high;
    }
    for (int j = 0; j < nexus_lanes; j++) {
        low = lows[j] < low ? lows[j] : low;
        high = highs[j] > high ? highs[j] : high;
    }
    if (high <= low) { return high; }
    for (int n = 0; n < halvings; n++) {
        float middle = low + (high - low) / 2;
        size_t total = nexus_count_reaching(numbers, count, middle);
        if (total < wanted) {
            high = middle;
        } else {
            low = middle;
            if (total <= 2 * wanted) { break; }
        }
    }
    return low;
}

#endif
