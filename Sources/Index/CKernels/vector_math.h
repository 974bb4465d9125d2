// Vectors of LANES floats and functions of them; included once into each file that is compiled for an instruction set.
// The including file defines LANES (4, 8 or 16).
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef float vector __attribute__((vector_size(4 * LANES)));
typedef int32_t integers __attribute__((vector_size(4 * LANES)));

// MARK: vectors

static inline vector load(const float *p) {
    vector v;
    memcpy(&v, p, sizeof v);
    return v;
}

static inline void store(float *p, vector v) { memcpy(p, &v, sizeof v); }

// Subtracts zero, which compilers drop; adding it would turn -0 into 0 and be done.
static inline vector splat(float value) { return value - (vector){0}; }

// Loads `count` < LANES floats; the other lanes hold `rest`.
static inline vector load_part(const float *p, size_t count, float rest) {
    vector v = splat(rest);
    memcpy(&v, p, count * sizeof(float));
    return v;
}

static inline void store_part(float *p, vector v, size_t count) { memcpy(p, &v, count * sizeof(float)); }

static inline vector choose(integers mask, vector a, vector b) {
    return (vector)(((integers)a & mask) | ((integers)b & ~mask));
}

static inline vector larger(vector a, vector b) { return choose(a > b, a, b); }

static inline vector smaller(vector a, vector b) { return choose(a < b, a, b); }

// Adds pairs at halving distance, so the order of additions does not depend on what the compiler finds.
static inline float sum(vector v) {
    float lanes[LANES];
    store(lanes, v);
    for (int half = LANES / 2; half > 0; half /= 2) {
        for (int i = 0; i < half; i++) { lanes[i] += lanes[i + half]; }
    }
    return lanes[0];
}

static inline float largest(vector v) {
    float lanes[LANES];
    store(lanes, v);
    for (int half = LANES / 2; half > 0; half /= 2) {
        for (int i = 0; i < half; i++) { lanes[i] = lanes[i] > lanes[i + half] ? lanes[i] : lanes[i + half]; }
    }
    return lanes[0];
}

// MARK: functions

// exp for x <= 0, relative error below 2e-7; results under 2^-125 become about 2^-125. x = n ln 2 + r, |r| <= ln 2 / 2;
// ln 2 in two parts and the polynomial of Cephes' expf (netlib.org/cephes).
static inline vector exponential(vector x) {
    x = larger(x, splat(-86.6f));
    const vector magic = splat(12582912.0f);  // 1.5 * 2^23: adding it rounds to an integer in the low bits
    vector shifted = x * 1.44269504f + magic;
    vector n = shifted - magic;
    vector r = x - n * 0.693359375f;
    r = r + n * 2.12194440e-4f;
    vector p = r * 1.9875691500e-4f + 1.3981999507e-3f;
    p = p * r + 8.3334519073e-3f;
    p = p * r + 4.1665795894e-2f;
    p = p * r + 1.6666665459e-1f;
    p = p * r + 5.0000001201e-1f;
    p = p * (r * r) + r + 1.0f;
    integers power = ((integers)shifted - (integers)magic) << 23;
    return (vector)((integers)p + power);
}

// erf with an absolute error below 3e-7: the odd rational function of degree 13 / 8 on [-4, 4] that Eigen uses for
// floats (Eigen/src/Core/MathFunctionsImpl.h); beyond, erf is 1 within 2e-8.
static inline vector error_function(vector x) {
    x = larger(smaller(x, splat(4.0f)), splat(-4.0f));
    vector y = x * x;
    vector p = y * -2.72614225801306e-10f + 2.77068142495902e-08f;
    p = p * y - 2.10102402082508e-06f;
    p = p * y - 5.69250639462346e-05f;
    p = p * y - 7.34990630326855e-04f;
    p = p * y - 2.95459980854025e-03f;
    p = p * y - 1.60960333262415e-02f;
    vector q = y * -1.45660718464996e-05f - 2.13374055278905e-04f;
    q = q * y - 1.68282697438203e-03f;
    q = q * y - 7.37332916720468e-03f;
    q = q * y - 1.42647390514189e-02f;
    return x * p / q;
}

static inline vector gelu(vector x) {
    vector half = x * 0.5f;
    return half + half * error_function(x * 0.70710678118f);
}
