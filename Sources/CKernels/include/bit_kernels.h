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
// of <q − q̂, u> is error / sqrt(d). `nexus_bit_score_form` is made of the two deviations.
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

/// How products become estimates, and how far beyond them a score may lie: the estimate is
/// row factor · factor · (2 · product − offset), and a row may reach a limit when its estimate does, or when
/// (limit − estimate)² <= row_variance · tangent² + query_variance.
typedef struct nexus_bit_score_form {
    float factor;
    int32_t offset;
    /// z² · ((1 − limit²) / (d − 1) + error² / d).
    float row_variance;
    /// z² · error² / d.
    float query_variance;
} nexus_bit_score_form;

/// Returns the bytes of one row of `count` components: whole words of 64 bits.
static inline size_t nexus_bit_width(size_t count) { return (count + 63) / 64 * 8; }

/// Returns the bytes of the codes of one query for rows of `width` bytes. What they hold is the kernels' own affair;
/// they need no alignment, and are the same for every instruction set.
size_t nexus_bit_query_size(size_t width);

/// Returns the bytes that `bit_batch_dots` needs as scratch.
size_t nexus_bit_scratch_size(size_t width);

/// Returns the form that lets a row pass whose score is `limit` unless its estimate lies more than `z` standard
/// deviations too low.
///
/// - Parameters:
///   - query: The codes' scale, error and sum; the query has length 1.
///   - count: Components of a row, d.
///   - limit: The score that is to be reached, in −1...1; rows of higher scores deviate less.
///   - z: Standard deviations; about 4, where a gaussian number is lost once in 30,000.
nexus_bit_score_form nexus_bit_form(nexus_bit_query query, size_t count, float limit, float z);

/// Returns the estimate that a product stands for.
static inline float nexus_bit_estimate(int32_t product, float row_factor, nexus_bit_score_form form) {
    return form.factor * row_factor * (float)(2 * product - form.offset);
}

#pragma clang assume_nonnull end

#endif
