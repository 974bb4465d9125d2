// One bit a component: the compact form of the vector index's rows, after RaBitQ (Gao and Long, SIGMOD 2024,
// arXiv 2405.12497). Ours differs in the rotation (signs and Hadamard transforms), in queries of 4 bits that are
// rounded to the nearest code instead of at random, and in adding what the query's codes leave out to the deviation.
//
// Rows and queries of d components are rotated first, all by the same orthogonal map. A rotated row x of length 1 keeps
// the signs of its components, in w = `nexus_bit_width(d)` bytes: bit i % 8 of byte i / 8 is 1 when component i is
// positive; bits beyond d are zero. Rows follow each other without gaps. Let u = (2 · bit − 1) / sqrt(d), the unit
// vector of signs, and a = <x, u>, about 0.8 after the rotation. Then <q, u> / a estimates <q, x> without bias; for
// a query q of length 1 the estimate is off by a number that is nearly gaussian, with a standard deviation of
// sqrt(1 − <q, x>²) · tangent / sqrt(d − 1), where tangent = sqrt(1 − a²) / a. (For d = 1 it is exact.)
//
// A rotated query has odd codes v in −15...15 and a scale: q is about q̂ = scale · v. So
// estimate = factor · scale · (2 · product − sum) with product = Σ bit · v and sum = Σ v.
// Leaving out q − q̂ moves it by <q − q̂, u> / a: never more than error / a, but the error is about 0.12 of the query's
// length and this bound of no use. As q − q̂ and u have next to nothing to do with each other, the standard deviation
// of <q − q̂, u> is error / sqrt(d). Products become estimates, and rows are chosen by them, in the form of
// `nexus_score_form`, with some deviations as the spread.
#ifndef NEXUS_BIT_KERNELS_H
#define NEXUS_BIT_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// What belongs to a row's bits.
typedef struct nexus_bit_row {
    /// 1 / (a · sqrt(d)): what turns products into estimates.
    float factor;
    /// No less than sqrt(1 − a²) / a, about 0.75: what the estimate's deviation is proportional to.
    float tangent;
} nexus_bit_row;

/// What belongs to a query's codes.
typedef struct nexus_bit_query {
    float scale;
    /// No less than |q − q̂|. The deviation that this gives an estimate is error / (a · sqrt(d)), where 1 / a² is
    /// 1 + tangent².
    float error;
    /// The sum of all codes, the offset of products.
    int32_t sum;
} nexus_bit_query;

/// Returns the bytes of one row of `count` components: whole words of 64 bits.
static inline size_t nexus_bit_width(size_t count) { return (count + 63) / 64 * 8; }

/// Returns the bytes of the codes of one query for rows of `width` bytes. What they hold is the kernels' own affair;
/// they need no alignment, and are the same for every instruction set.
size_t nexus_bit_query_size(size_t width);

/// Returns the bytes that `bit_batch_dots` needs as scratch.
size_t nexus_bit_scratch_size(size_t width);

#pragma clang assume_nonnull end

#endif
