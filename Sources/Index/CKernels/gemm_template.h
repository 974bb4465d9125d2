// Linear maps, included once for each instruction set. The including file defines
//   LANES  floats in a vector (4, 8 or 16)
//   ROWS   rows of a register block: 2 * ROWS + 3 vectors fit into the registers; at most 14
//   TABLE  the name of the table defined at the end
//
// Weights lie in strips of 2 * LANES columns: for each k the columns' weights one after the other, as a block of ROWS
// rows by one strip wants them. Activations are copied to the scratch, so that a row's place in a block is a constant.
#include "gemm_variants.h"
#include "vector_math.h"

enum { strip = 2 * LANES, depth = nexus_gemm_depth, stride_of_scratch = nexus_gemm_scratch_stride };

#define INLINE static inline __attribute__((always_inline))

static void pack(float *packed, const float *weight, size_t columns, size_t k) {
    size_t padded = nexus_gemm_padded(columns), rest = nexus_gemm_padded(k) - k;
    for (size_t first = 0; first < padded; first += strip) {
        for (size_t p = 0; p < k; p++) {
            for (size_t j = first; j < first + strip; j++) { *packed++ = j < columns ? weight[j * k + p] : 0; }
        }
        memset(packed, 0, rest * strip * sizeof(float));
        packed += rest * strip;
    }
}

// Adds `terms` terms to the sums of `rows` rows (a constant after inlining) by one strip; `begins` when there are none yet.
INLINE void multiply_block(float *out, size_t out_stride, const float *x, const float *weights, size_t terms,
                           size_t rows, int begins) {
    vector left[ROWS], right[ROWS];
#pragma clang loop unroll(full)
    for (size_t r = 0; r < rows; r++) {
        left[r] = begins ? splat(0) : load(out + r * out_stride);
        right[r] = begins ? splat(0) : load(out + r * out_stride + LANES);
    }
    for (size_t p = 0; p < terms; p++, weights += strip) {
        vector first = load(weights), second = load(weights + LANES);
#pragma clang loop unroll(full)
        for (size_t r = 0; r < rows; r++) {
            vector value = splat(x[r * stride_of_scratch + p]);
            left[r] += value * first;
            right[r] += value * second;
        }
    }
#pragma clang loop unroll(full)
    for (size_t r = 0; r < rows; r++) {
        store(out + r * out_stride, left[r]);
        store(out + r * out_stride + LANES, right[r]);
    }
}

#define CASE(count) \
    case count: \
        if (count <= ROWS) { multiply_block(out, out_stride, x, weights, terms, count <= ROWS ? count : 1, begins); } \
        return;

static void multiply_rows(float *out, size_t out_stride, const float *x, const float *weights, size_t terms,
                          size_t rows, int begins) {
    switch (rows) {
        CASE(1) CASE(2) CASE(3) CASE(4) CASE(5) CASE(6) CASE(7)
        CASE(8) CASE(9) CASE(10) CASE(11) CASE(12) CASE(13) CASE(14)
    default: return;
    }
}

// Applies bias and function to a block whose sums are complete.
static void finish_rows(float *out, size_t out_stride, const float *bias, size_t rows, nexus_gemm_finish finish) {
    vector first = bias != NULL ? load(bias) : splat(0), second = bias != NULL ? load(bias + LANES) : splat(0);
    for (size_t r = 0; r < rows; r++, out += out_stride) {
        vector left = load(out) + first, right = load(out + LANES) + second;
        store(out, finish == nexus_gemm_finish_gelu ? gelu(left) : left);
        store(out + LANES, finish == nexus_gemm_finish_gelu ? gelu(right) : right);
    }
}

// A strip of the output, and what is done with it.
typedef struct part {
    float *out;
    size_t out_stride;
    const float *bias;
    nexus_gemm_finish finish;
    // Terms of this part of k, and whether the first and the last one are among them.
    size_t terms;
    int begins, ends;
} part;

// Multiplies the scratch's rows with one whole strip. Rows are cut into blocks of about equal size: two of 8 take less
// time than one of 14 and one of 2.
static void multiply_strip(const part *p, const float *scratch, const float *weights, size_t rows) {
    size_t blocks = (rows + ROWS - 1) / ROWS;
    for (size_t i = 0; i < blocks; i++) {
        size_t start = rows * i / blocks, count = rows * (i + 1) / blocks - start;
        float *out = p->out + start * p->out_stride;
        multiply_rows(out, p->out_stride, scratch + start * stride_of_scratch, weights, p->terms, count, p->begins);
        if (p->ends && (p->bias != NULL || p->finish != nexus_gemm_finish_none)) {
            finish_rows(out, p->out_stride, p->bias, count, p->finish);
        }
    }
}

// Multiplies the scratch's rows with the last strip, of which only `columns` exist, by way of a whole one.
static void multiply_last_strip(part p, const float *scratch, const float *weights, size_t rows, size_t columns) {
    float whole[nexus_gemm_scratch_rows * strip], bias[strip] = {0};
    if (p.bias != NULL) { memcpy(bias, p.bias, columns * sizeof(float)); }
    float *out = p.out;
    if (!p.begins) { memset(whole, 0, rows * strip * sizeof(float)); }
    for (size_t i = 0; i < rows && !p.begins; i++) {
        memcpy(whole + i * strip, out + i * p.out_stride, columns * sizeof(float));
    }
    part of_whole = p;
    of_whole.out = whole;
    of_whole.out_stride = strip;
    of_whole.bias = bias;
    multiply_strip(&of_whole, scratch, weights, rows);
    for (size_t i = 0; i < rows; i++) { memcpy(out + i * p.out_stride, whole + i * strip, columns * sizeof(float)); }
}

static void multiply_part(part p, const float *scratch, const float *weights, size_t rows, size_t columns, size_t k) {
    size_t strip_count = nexus_gemm_padded(k) * strip;
    for (; columns >= strip; columns -= strip) {
        multiply_strip(&p, scratch, weights, rows);
        weights += strip_count;
        p.out += strip;
        if (p.bias != NULL) { p.bias += strip; }
    }
    if (columns > 0) { multiply_last_strip(p, scratch, weights, rows, columns); }
}

static void multiply(float *out, size_t out_stride, const float *x, size_t x_stride, const float *packed,
                     const float *bias, size_t rows, size_t columns, size_t k, nexus_gemm_finish finish,
                     float *scratch) {
    for (size_t row = 0; row < rows; row += nexus_gemm_scratch_rows) {
        size_t count = rows - row < nexus_gemm_scratch_rows ? rows - row : nexus_gemm_scratch_rows;
        size_t done = 0;
        do {
            size_t terms = k - done < depth ? k - done : depth;
            for (size_t i = 0; i < count; i++) {
                memcpy(scratch + i * stride_of_scratch, x + (row + i) * x_stride + done, terms * sizeof(float));
            }
            part p = {.out = out + row * out_stride, .out_stride = out_stride, .bias = bias, .finish = finish,
                      .terms = terms, .begins = done == 0, .ends = done + terms == k};
            multiply_part(p, scratch, packed + done * strip, count, columns, k);
            done += terms;
        } while (done < k);
    }
}

const nexus_gemm_kernels TABLE = {.pack = pack, .multiply = multiply};
