// The rotation that rows and queries of the compact form go through, compiled for each instruction set: an orthogonal
// map of any dimension in O(d log d). A turn flips signs at random and applies the normalised Walsh-Hadamard transform
// to n components, n the largest power of two in d. A round is one turn for the first n and, if there are others, one
// for the last n and a step that adds and subtracts the halves of the row; for without it the two parts would hardly
// mix when they have few components in common (n = 1024 of 2047). The RaBitQ library has much the same.
// Additions have one order, so the results are the same in every set.
#ifndef NEXUS_ROTATION_H
#define NEXUS_ROTATION_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// Three rounds spread even a row with a single component, and every further one costs as much as each of them.
enum { nexus_rotation_rounds = 3, nexus_rotation_lanes = 16 };

typedef float nexus_wide __attribute__((vector_size(4 * nexus_rotation_lanes)));
typedef uint32_t nexus_wide_bits __attribute__((vector_size(4 * nexus_rotation_lanes)));

// 64 signs by their number, from a counter and the finalizer of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014). Stored
// bits depend on them: a change makes stored codes worthless.
static inline uint64_t nexus_rotation_signs(uint64_t number) {
    uint64_t z = 0x6E65787573313131 + (number + 1) * 0x9E3779B97F4A7C15;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
}

// Copies 64 floats, those with a set bit negated.
static inline void nexus_flip_block(float *out, const float *in, uint64_t signs) {
    const nexus_wide_bits shifts = {31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16};
    for (size_t i = 0; i < 64; i += nexus_rotation_lanes, signs >>= nexus_rotation_lanes) {
        nexus_wide_bits bits = (nexus_wide_bits){0} + (uint32_t)(signs & 0xFFFF), value;
        memcpy(&value, in + i, sizeof value);
        value ^= (bits << shifts) & 0x80000000;
        memcpy(out + i, &value, sizeof value);
    }
}

static inline void nexus_flip(float *out, const float *in, size_t count, uint64_t turn) {
    uint64_t number = turn << 32;
    size_t i = 0;
    for (; i + 64 <= count; i += 64) { nexus_flip_block(out + i, in + i, nexus_rotation_signs(number++)); }
    uint64_t signs = nexus_rotation_signs(number);
    for (; i < count; i++, signs >>= 1) { out[i] = signs & 1 ? -in[i] : in[i]; }
}

// MARK: Hadamard

// Plain transform, for lengths that vectors do not pay for.
static inline void nexus_hadamard_short(float *x, size_t count) {
    float scale = 1 / sqrtf((float)count);
    for (size_t i = 0; i < count; i++) { x[i] *= scale; }
    for (size_t half = 1; half < count; half *= 2) {
        for (size_t start = 0; start < count; start += 2 * half) {
            for (size_t i = start; i < start + half; i++) {
                float a = x[i], b = x[i + half];
                x[i] = a + b;
                x[i + half] = a - b;
            }
        }
    }
}

// The four levels inside a vector. The products with 1 and −1 are exact, fused or not.
static inline void nexus_hadamard_lanes(float *x, float scale) {
    const nexus_wide one = {1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1};
    const nexus_wide two = {1, 1, -1, -1, 1, 1, -1, -1, 1, 1, -1, -1, 1, 1, -1, -1};
    const nexus_wide four = {1, 1, 1, 1, -1, -1, -1, -1, 1, 1, 1, 1, -1, -1, -1, -1};
    const nexus_wide eight = {1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1, -1};
    nexus_wide v;
    memcpy(&v, x, sizeof v);
    v *= scale;
    v = v * one + __builtin_shufflevector(v, v, 1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14);
    v = v * two + __builtin_shufflevector(v, v, 2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13);
    v = v * four + __builtin_shufflevector(v, v, 4, 5, 6, 7, 0, 1, 2, 3, 12, 13, 14, 15, 8, 9, 10, 11);
    v = v * eight + __builtin_shufflevector(v, v, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7);
    memcpy(x, &v, sizeof v);
}

// One level: pairs that lie `half` apart.
static inline void nexus_hadamard_level(float *x, size_t count, size_t half) {
    for (size_t start = 0; start < count; start += 2 * half) {
        for (size_t i = start; i < start + half; i += nexus_rotation_lanes) {
            nexus_wide a, b;
            memcpy(&a, x + i, sizeof a);
            memcpy(&b, x + i + half, sizeof b);
            nexus_wide sum = a + b, difference = a - b;
            memcpy(x + i, &sum, sizeof sum);
            memcpy(x + i + half, &difference, sizeof difference);
        }
    }
}

// Two levels in one pass over memory: pairs that lie `half` and 2 · half apart.
static inline void nexus_hadamard_levels(float *x, size_t count, size_t half) {
    for (size_t start = 0; start < count; start += 4 * half) {
        for (size_t i = start; i < start + half; i += nexus_rotation_lanes) {
            nexus_wide v[4], t[4];
            for (size_t j = 0; j < 4; j++) { memcpy(&v[j], x + i + j * half, sizeof v[j]); }
            t[0] = v[0] + v[1];
            t[1] = v[0] - v[1];
            t[2] = v[2] + v[3];
            t[3] = v[2] - v[3];
            v[0] = t[0] + t[2];
            v[1] = t[1] + t[3];
            v[2] = t[0] - t[2];
            v[3] = t[1] - t[3];
            for (size_t j = 0; j < 4; j++) { memcpy(x + i + j * half, &v[j], sizeof v[j]); }
        }
    }
}

// `count` is a power of two.
static inline void nexus_hadamard(float *x, size_t count) {
    if (count < nexus_rotation_lanes) {
        nexus_hadamard_short(x, count);
        return;
    }
    float scale = 1 / sqrtf((float)count);
    for (size_t i = 0; i < count; i += nexus_rotation_lanes) { nexus_hadamard_lanes(x + i, scale); }
    size_t half = nexus_rotation_lanes;
    for (; 4 * half <= count; half *= 4) { nexus_hadamard_levels(x, count, half); }
    if (half < count) { nexus_hadamard_level(x, count, half); }
}

// Every component of the first half with its like in the last; an odd one between them stays.
static inline void nexus_mix_halves(float *x, size_t count) {
    size_t half = count / 2;
    float *last = x + count - half;
    for (size_t i = 0; i < half; i++) {
        float a = x[i], b = last[i];
        x[i] = (a + b) * 0.70710678f;
        last[i] = (a - b) * 0.70710678f;
    }
}

static inline void nexus_rotate(float *out, const float *in, size_t count) {
    size_t power = 1;
    while (2 * power <= count) { power *= 2; }
    float *last = out + count - power;
    memmove(out + power, in + power, (count - power) * sizeof *out);
    for (uint64_t round = 0; round < nexus_rotation_rounds; round++) {
        nexus_flip(out, round == 0 ? in : out, power, 2 * round);
        nexus_hadamard(out, power);
        if (power == count) { continue; }
        nexus_flip(last, last, power, 2 * round + 1);
        nexus_hadamard(last, power);
        nexus_mix_halves(out, count);
    }
}

#endif
