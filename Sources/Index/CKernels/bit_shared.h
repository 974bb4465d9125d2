// What the kernels of the compact form share: the layout of a query's codes, the encoding of rows and queries, and the
// selection, compiled for each instruction set.
//
// A query's codes v = 2c − 15, c in 0...15, lie twice in memory. Bit planes for counting: with t the complement of c's
// bits, bits of the row and of the query agree where bit ^ t is 1, so Σ bit · v = Σ_b 2^b · popcount(bits ^ t_b) less
// a shift of (15 · d − Σ v) / 2. And the codes themselves, in bytes, for multiplying. In order: shift, planes, codes.
#ifndef NEXUS_BIT_SHARED_H
#define NEXUS_BIT_SHARED_H

#include "index_shared.h"
#include "rotation.h"

enum { nexus_bit_planes = 4, nexus_bit_unit = 64 };

// `bit_dots` of each instruction set; a set without one uses that of a poorer set.
void nexus_bit_dots_portable(int32_t *out, const uint8_t *bits, size_t width, size_t rows, const uint8_t *query);
#if defined(__aarch64__)
void nexus_bit_dots_neon(int32_t *out, const uint8_t *bits, size_t width, size_t rows, const uint8_t *query);
#endif
#if defined(__x86_64__)
void nexus_bit_dots_avx2(int32_t *out, const uint8_t *bits, size_t width, size_t rows, const uint8_t *query);
void nexus_bit_dots_bitalg(int32_t *out, const uint8_t *bits, size_t width, size_t rows, const uint8_t *query);
#endif

// Bytes from one plane of a query to the next.
static inline size_t nexus_bit_plane(size_t width) {
    return (width + nexus_bit_unit - 1) / nexus_bit_unit * nexus_bit_unit;
}

static inline size_t nexus_bit_stride(size_t width) {
    return nexus_bit_unit + nexus_bit_planes * nexus_bit_plane(width) + 8 * width;
}

static inline int32_t nexus_bit_shift(const uint8_t *query) {
    int32_t shift;
    memcpy(&shift, query, sizeof shift);
    return shift;
}

static inline const uint8_t *nexus_bit_plane_start(const uint8_t *query) { return query + nexus_bit_unit; }

static inline const int8_t *nexus_bit_codes(const uint8_t *query, size_t width) {
    return (const int8_t *)(query + nexus_bit_unit + nexus_bit_planes * nexus_bit_plane(width));
}

// MARK: encoding

typedef int32_t nexus_wide_integers __attribute__((vector_size(4 * nexus_rotation_lanes)));
typedef _Bool nexus_wide_truth __attribute__((ext_vector_type(nexus_rotation_lanes)));

// Writes the lanes that are true (−1) as 16 bits. Compilers have instructions for it.
#define NEXUS_STORE_TRUTH(target, lanes)                                            \
    do {                                                                            \
        nexus_wide_truth truth = __builtin_convertvector((lanes), nexus_wide_truth); \
        memcpy((target), &truth, 2);                                                \
    } while (0)

// Calls for every 16 components; the last ones are padded with zeros.
static inline const float *nexus_bit_lanes(float *padded, const float *x, size_t count) {
    if (count >= nexus_rotation_lanes) { return x; }
    memset(padded, 0, nexus_rotation_lanes * sizeof *padded);
    memcpy(padded, x, count * sizeof *x);
    return padded;
}

static inline double nexus_bit_sum(const float *lanes) {
    double sum = 0;
    for (int i = 0; i < nexus_rotation_lanes; i++) { sum += lanes[i]; }
    return sum;
}

static inline nexus_bit_row nexus_encode_bits(uint8_t *bits, const float *rotated, size_t count) {
#pragma STDC FP_CONTRACT OFF  // so that what is stored is the same in every set
    nexus_wide lengths = {0}, squares = {0}, x, zero = {0};
    float padded[nexus_rotation_lanes], sums[nexus_rotation_lanes];
    memset(bits, 0, nexus_bit_width(count));
    for (size_t i = 0; i < count; i += nexus_rotation_lanes) {
        memcpy(&x, nexus_bit_lanes(padded, rotated + i, count - i), sizeof x);
        nexus_wide_integers positive = x > zero;
        NEXUS_STORE_TRUTH(bits + i / 8, positive);
        lengths += (nexus_wide)((nexus_wide_bits)x & 0x7FFFFFFF);
        squares += x * x;
    }
    memcpy(sums, &lengths, sizeof sums);
    double length = nexus_bit_sum(sums);
    memcpy(sums, &squares, sizeof sums);
    double square = nexus_bit_sum(sums), excess = (double)count * square / (length * length) - 1;
    return (nexus_bit_row){
        .factor = (float)(square / length),
        // The root makes much of a little when a is nearly 1: sums are off by 1e-5 of themselves at most.
        .tangent = (float)sqrt((excess > 0 ? excess : 0) + 2e-5),
    };
}

static inline nexus_bit_query nexus_encode_bit_query(uint8_t *codes, const float *rotated, size_t count) {
#pragma STDC FP_CONTRACT OFF  // fused in some sets only, a product would be rounded to another code
    size_t width = nexus_bit_width(count), stride = nexus_bit_plane(width);
    float largest = nexus_largest(rotated, count), scale = largest / 16, inverse = 8 / largest;
    float padded[nexus_rotation_lanes], errors[nexus_lanes];
    uint8_t *planes = codes + nexus_bit_unit;
    int8_t *bytes = (int8_t *)planes + nexus_bit_planes * stride;
    nexus_wide squares = {0}, x;
    nexus_wide_integers sums = {0}, lanes;
    memset(codes, 0, nexus_bit_stride(width));
    for (size_t i = 0; i < count; i += nexus_rotation_lanes) {
        size_t rest = count - i < nexus_rotation_lanes ? count - i : nexus_rotation_lanes;
        uint16_t used = (uint16_t)(0xFFFF >> (nexus_rotation_lanes - rest)), plane;
        memcpy(&x, nexus_bit_lanes(padded, rotated + i, rest), sizeof x);
        // Never negative, so that cutting off rounds down; the largest component would give 16.
        nexus_wide_integers code = __builtin_convertvector(x * inverse + 8.0f, nexus_wide_integers);
        code += code > 15;
        nexus_wide_integers odd = 2 * code - 15;
        nexus_wide difference = x - __builtin_convertvector(odd, nexus_wide) * scale;
        memcpy(&lanes, &odd, sizeof lanes);
        for (size_t j = rest; j < nexus_rotation_lanes; j++) { lanes[j] = 0, difference[j] = 0; }
        squares += difference * difference;
        sums += lanes;
        for (size_t j = 0; j < rest; j++) { bytes[i + j] = (int8_t)lanes[j]; }
        for (int b = 0; b < nexus_bit_planes; b++) {
            NEXUS_STORE_TRUTH(&plane, (code & (1 << b)) == 0);
            plane &= used;
            memcpy(planes + b * stride + i / 8, &plane, sizeof plane);
        }
    }
    memcpy(errors, &squares, sizeof errors);
    nexus_bit_query result = {.scale = scale, .error = nexus_length_bound(errors, largest, count)};
    for (int i = 0; i < nexus_rotation_lanes; i++) { result.sum += sums[i]; }
    int32_t shift = (15 * (int32_t)count - result.sum) / 2;
    memcpy(codes, &shift, sizeof shift);
    return result;
}

// MARK: batches

// Rows in the first-level cache meet all queries before the next rows come.
static inline void nexus_bit_batch_dots(int32_t *out, const uint8_t *bits, size_t width, size_t rows,
                                        const uint8_t *queries, size_t query_count,
                                        void (*dots)(int32_t *, const uint8_t *, size_t, size_t, const uint8_t *)) {
    size_t some = 16384 / width / 4 * 4;
    some = some < 4 ? 4 : some;
    for (size_t start = 0; start < rows; start += some) {
        size_t count = rows - start < some ? rows - start : some;
        for (size_t q = 0; q < query_count; q++) {
            dots(out + q * rows + start, bits + start * width, width, count, queries + q * nexus_bit_stride(width));
        }
    }
}

#endif
