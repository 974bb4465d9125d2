// Kernels of the vector index: rows as 8-bit codes in two planes of 4 bits, multiplied with 8-bit queries.
//
// A row x of d floats has codes c in 0...255 and a scale s: x is about s · (c − 127.5). The high plane holds the upper
// four bits h of each code, x is then about 16 · s · (h − 7.5), the low plane the lower four. The scale itself is not kept:
// what matters is the direction of the codes. A plane's row has
// w = (d + 1) / 2 bytes: byte j holds component j in its lower and component j + w in its upper half, so that
// unpacking needs no shuffle. Rows follow each other without gaps. Bits beyond the last component are zero.
//
// A query of d signed 8-bit numbers lies in two parts of `nexus_index_query_part(w)` bytes each, components from 0
// and from w, and is zero elsewhere. All sums are exact in 32 bits up to 16,384 components.
//
// The compact form, one bit a component, is described in bit_kernels.h; its kernels stand in the same table.
#ifndef NEXUS_INDEX_KERNELS_H
#define NEXUS_INDEX_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#include "bit_kernels.h"

#pragma clang assume_nonnull begin

/// An instruction set that the index's kernels were compiled for, poorest first.
typedef enum nexus_index_set {
    nexus_index_set_portable = 0,
#if defined(__aarch64__)
    nexus_index_set_neon = 1,
    nexus_index_set_neon_dot = 2,
#else
    nexus_index_set_avx2 = 1,
    nexus_index_set_vnni = 2,
    nexus_index_set_bitalg = 3,
    nexus_index_set_amx = 4,
#endif
} __attribute__((enum_extensibility(closed))) nexus_index_set;

/// What belongs to the codes of a row x of length 1, for the high plane alone (coarse) and for both planes (fine).
///
/// With c the code as a vector, h − 7.5 or c − 127.5 by component: the factor is 1 / (2 ⟨x,c⟩), which makes the product
/// with a query an estimate of ⟨q,x⟩ that is right along c. The tangent is no less than that of the angle between x and
/// c, which bounds the estimate's error; see `nexus_score_form`.
typedef struct nexus_row_code {
    float coarse_factor;
    float coarse_tangent;
    float fine_factor;
    float fine_tangent;
} nexus_row_code;

/// What belongs to a query's codes: q is about scale · code.
typedef struct nexus_query_code {
    float scale;
    /// No less than |q − q̂|, the length of what the codes leave out.
    float error;
    /// The sum of all codes.
    int32_t sum;
} nexus_query_code;

/// How products become estimates of scores: scale · factor · (2 · product − offset).
///
/// Let x and q have length 1, u the direction of x's code, θ the angle between x and u, c and s its cosine and sine, and
/// φ the angle whose cosine is a score L ≥ 0. Angles obey the triangle inequality: ⟨q,x⟩ ≥ L demands
/// ⟨q,u⟩ ≥ cos(φ + θ) = L·c − √(1 − L²)·s, so ⟨q,u⟩ / c + √(1 − L²)·tan θ ≥ L. The estimate differs from ⟨q,u⟩ / c by
/// |q − q̂| / c ≤ |q − q̂|·(1 + tan θ) at most. So no row is lost when those are kept whose
/// estimate + slack + spread · tangent reaches L, with slack ≥ |q − q̂| and spread ≥ √(1 − L²) + slack. For L < 0
/// 1 replaces the root.
typedef struct nexus_score_form {
    float scale;
    float slack;
    int32_t offset;
} nexus_score_form;

/// The kernels of the vector index for one instruction set. Integer results are the same in every set.
typedef struct nexus_index_kernels {
    /// Encodes `count` finite floats, not all zero and none beyond ±2; writes w bytes to each plane.
    nexus_row_code (*encode_row)(uint8_t *high, uint8_t *low, const float *row, size_t count);

    /// Encodes `count` finite floats, not all zero and none beyond ±2; writes both parts of the query, which have room
    /// for 2 · `nexus_index_query_part(w)` numbers.
    nexus_query_code (*encode_query)(int8_t *codes, const float *query, size_t count);

    /// Dot products of four rows with a query in double precision: component i is added to sum i modulo 4, those after
    /// the last whole four to sum 0, then the sums as (0 + 1) + (2 + 3). So results are the same in every set.
    void (*precise_dots)(double out[_Nonnull 4], const float *_Nonnull const rows[_Nonnull 4], const float *query,
                         size_t count);

    /// `out[i]` = the product of the query and the plane's row of `width` bytes at `rows[i]`, for `count` rows. Addresses
    /// up to `rows[available - 1]` are there, so that rows beyond `count` are fetched in time for the next call.
    void (*row_dots)(int32_t *out, const uint8_t *_Nonnull const *_Nonnull rows, size_t count, size_t available,
                     size_t width, const int8_t *query);

    /// `out[i]` = the estimate that product i stands for, for `rows` rows. Returns the largest of their tangents, which are
    /// not negative; 0 without rows.
    float (*estimate)(float *out, const int32_t *products, const float *factors, const float *tangents, size_t rows,
                      nexus_score_form form);

    /// Writes the positions of the numbers that are `least` or more to `found`, ascending; returns how many. `found` has
    /// room for `count` positions.
    size_t (*reaching)(uint32_t *found, const float *numbers, size_t count, float least);

    /// The same for numbers that come to `least` or more with `spread` times their tangents.
    size_t (*reaching_within)(uint32_t *found, const float *numbers, const float *tangents, size_t count, float spread,
                              float least);

    /// Returns a number that `wanted` of the numbers, or all that are finite, have or exceed, and seldom more than twice as
    /// many; finite in any case. Numbers may be −∞.
    float (*high_mark)(const float *numbers, size_t count, size_t wanted);

    /// `out[q * rows + i]` = 16 · (product of query q and the high plane of row i) + (that of the low plane).
    /// Query q starts at `queries + q * 2 * nexus_index_query_part(width)`. `scratch` holds
    /// `nexus_index_scratch_size(width)` bytes.
    void (*batch_dots)(int32_t *out, const uint8_t *high, const uint8_t *low, size_t width, size_t rows,
                       const int8_t *queries, size_t query_count, uint8_t *scratch);

    /// Rotates `count` floats, 1 to 16,384; `out` may be `in`. Lengths and products change by rounding only, about 1e-6
    /// of themselves. The result is the same to the last bit in every set, and for ever: rows are stored in it.
    void (*rotate)(float *out, const float *in, size_t count);

    /// Writes the signs of a rotated row of `count` floats, finite and not all zero, to `nexus_bit_width(count)` bytes.
    nexus_bit_row (*encode_bits)(uint8_t *bits, const float *rotated, size_t count);

    /// Encodes a rotated query of `count` floats, finite and not all zero, to
    /// `nexus_bit_query_size(nexus_bit_width(count))` bytes.
    nexus_bit_query (*encode_bit_query)(uint8_t *codes, const float *rotated, size_t count);

    /// `out[i]` = the product Σ bit · v of an encoded query and row i, for `rows` rows of `width` bytes.
    void (*bit_dots)(int32_t *out, const uint8_t *bits, size_t width, size_t rows, const uint8_t *query);

    /// `out[q * rows + i]` = the product of query q and row i, the same number as that of `bit_dots`. Query q starts at
    /// `queries + q * nexus_bit_query_size(width)`. `scratch` holds `nexus_bit_scratch_size(width)` bytes.
    void (*bit_batch_dots)(int32_t *out, const uint8_t *bits, size_t width, size_t rows, const uint8_t *queries,
                           size_t query_count, uint8_t *scratch);
} nexus_index_kernels;

/// About how many bytes ahead of the row that is read `row_dots` fetches.
enum { nexus_index_fetched = 3072 };

/// How many rows that is.
static inline size_t nexus_index_rows_ahead(size_t width) { return (nexus_index_fetched + width - 1) / width; }

/// Begins to fetch memory that will be read soon.
static inline void nexus_index_fetch(const void *start, size_t byte_count) {
    for (size_t i = 0; i < byte_count; i += 64) { __builtin_prefetch((const char *)start + i); }
}

/// Bytes of one part of a query for planes of `width` bytes a row.
size_t nexus_index_query_part(size_t width);

/// Bytes that `batch_dots` needs as scratch.
size_t nexus_index_scratch_size(size_t width);

/// Returns the kernels for `set`, or NULL when this build or this processor does not have it.
const nexus_index_kernels *_Nullable nexus_index_kernels_for(nexus_index_set set);

/// Returns the kernels for the richest instruction set that both this build and this processor have.
const nexus_index_kernels *nexus_best_index_kernels(void);

#pragma clang assume_nonnull end

#endif
