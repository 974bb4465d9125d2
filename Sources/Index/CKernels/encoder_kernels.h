// The encoder's kernels, included once for each instruction set. The including file defines
//   LANES  floats in a vector (4, 8 or 16; it divides nexus_pad and nexus_half_head)
//   ROWS   queries that attention handles together (at most nexus_row_block), as registers allow
//   TABLE  the name of the table defined at the end
#include "encoder_variants.h"
#include "vector_math.h"

// MARK: kernels

static float dot(const float *a, const float *b, size_t count) {
    vector first = splat(0), second = splat(0);
    size_t i = 0;
    for (; i + 2 * LANES <= count; i += 2 * LANES) {
        first += load(a + i) * load(b + i);
        second += load(a + i + LANES) * load(b + i + LANES);
    }
    for (; i + LANES <= count; i += LANES) { first += load(a + i) * load(b + i); }
    if (i < count) { second += load_part(a + i, count - i, 0) * load_part(b + i, count - i, 0); }
    return sum(first + second);
}

static void softmax_row(float *x, size_t columns) {
    size_t whole = columns / LANES * LANES, rest = columns - whole;
    vector high = load_part(x + whole, rest, -INFINITY);
    for (size_t j = 0; j < whole; j += LANES) { high = larger(high, load(x + j)); }
    vector maximum = splat(largest(high)), total = splat(0);
    for (size_t j = 0; j < whole; j += LANES) {
        vector e = exponential(load(x + j) - maximum);
        store(x + j, e);
        total += e;
    }
    if (rest > 0) {
        store_part(x + whole, exponential(load_part(x + whole, rest, 0) - maximum), rest);
        total += load_part(x + whole, rest, 0);
    }
    float scale = 1 / sum(total);
    for (size_t j = 0; j < whole; j += LANES) { store(x + j, load(x + j) * scale); }
    for (size_t j = whole; j < columns; j++) { x[j] *= scale; }
}

static void softmax_rows(float *x, size_t rows, size_t columns, size_t stride) {
    for (size_t i = 0; i < rows; i++) { softmax_row(x + i * stride, columns); }
}

static void bias_gelu(float *x, const float *bias, size_t rows, size_t columns) {
    size_t whole = columns / LANES * LANES, rest = columns - whole;
    for (size_t i = 0; i < rows; i++, x += columns) {
        for (size_t j = 0; j < whole; j += LANES) { store(x + j, gelu(load(x + j) + load(bias + j))); }
        if (rest == 0) { continue; }
        vector v = load_part(x + whole, rest, 0) + load_part(bias + whole, rest, 0);
        store_part(x + whole, gelu(v), rest);
    }
}

// x += y + bias; returns the mean of the new row.
static float add_row(float *x, const float *y, const float *bias, size_t columns) {
    size_t whole = columns / LANES * LANES, rest = columns - whole;
    vector total = splat(0);
    for (size_t j = 0; j < whole; j += LANES) {
        vector v = load(x + j) + (load(y + j) + load(bias + j));
        store(x + j, v);
        total += v;
    }
    if (rest > 0) {
        vector v = load_part(x + whole, rest, 0) + (load_part(y + whole, rest, 0) + load_part(bias + whole, rest, 0));
        store_part(x + whole, v, rest);
        total += v;
    }
    return sum(total) / (float)columns;
}

static float variance_of_row(const float *x, float mean, size_t columns) {
    size_t whole = columns / LANES * LANES, rest = columns - whole;
    vector total = splat(0);
    for (size_t j = 0; j < whole; j += LANES) {
        vector v = load(x + j) - mean;
        total += v * v;
    }
    vector v = load_part(x + whole, rest, mean) - mean;
    return sum(total + v * v) / (float)columns;
}

static void residual_layer_norm(float *x, const float *y, const float *bias, const float *gain, const float *shift,
                                float epsilon, size_t rows, size_t columns) {
    size_t whole = columns / LANES * LANES;
    for (size_t i = 0; i < rows; i++, x += columns, y += columns) {
        float mean = add_row(x, y, bias, columns);
        float scale = 1 / sqrtf(variance_of_row(x, mean, columns) + epsilon);
        for (size_t j = 0; j < whole; j += LANES) {
            store(x + j, (load(x + j) - mean) * scale * load(gain + j) + load(shift + j));
        }
        for (size_t j = whole; j < columns; j++) { x[j] = (x[j] - mean) * scale * gain[j] + shift[j]; }
    }
}

static void mean_pool_unit(float *out, const float *x, size_t rows, size_t columns) {
    size_t whole = columns / LANES * LANES;
    for (size_t j = 0; j < whole; j += LANES) {
        vector total = splat(0);
        for (size_t i = 0; i < rows; i++) { total += load(x + i * columns + j); }
        store(out + j, total / (float)rows);
    }
    for (size_t j = whole; j < columns; j++) {
        float total = 0;
        for (size_t i = 0; i < rows; i++) { total += x[i * columns + j]; }
        out[j] = total / (float)rows;
    }
    float length = sqrtf(dot(out, out, columns));
    float scale = length > 0 ? 1 / length : 0;
    for (size_t j = 0; j < columns; j++) { out[j] *= scale; }
}

// MARK: attention

// A head's width is a constant wherever these are inlined: one copy of all of them for each width.
#define INLINED static inline __attribute__((always_inline))

// Writes keys[d][j] = component d of token j's key; columns from `tokens` to `padded` are zero.
INLINED void transpose_keys(float *keys, const float *k, size_t tokens, size_t padded, size_t stride, size_t head) {
    for (size_t d = 0; d < head; d++) {
        for (size_t j = 0; j < tokens; j++) { keys[d * padded + j] = k[j * stride + d]; }
        for (size_t j = tokens; j < padded; j++) { keys[d * padded + j] = 0; }
    }
}

// Writes the scores of `rows` <= ROWS queries; columns from `tokens` on get a score that no softmax notices.
INLINED void score_rows(float *scores, float (*q)[nexus_widest_head], const float *keys, size_t rows, size_t tokens,
                        size_t padded, size_t head) {
    for (size_t j = 0; j < padded; j += LANES) {
        vector total[ROWS];
        for (size_t r = 0; r < rows; r++) { total[r] = splat(0); }
        for (size_t d = 0; d < head; d++) {
            vector k = load(keys + d * padded + j);
            for (size_t r = 0; r < rows; r++) { total[r] += k * q[r][d]; }
        }
        for (size_t r = 0; r < rows; r++) { store(scores + r * padded + j, total[r]); }
    }
    for (size_t r = 0; r < rows; r++) {
        for (size_t j = tokens; j < padded; j++) { scores[r * padded + j] = -1e30f; }
    }
}

// Replaces scores by exp(score - largest) and returns 1 / their sum.
static inline float exponentials_of_row(float *scores, size_t padded) {
    vector high = load(scores);
    for (size_t j = LANES; j < padded; j += LANES) { high = larger(high, load(scores + j)); }
    vector maximum = splat(largest(high)), total = splat(0);
    for (size_t j = 0; j < padded; j += LANES) {
        vector e = exponential(load(scores + j) - maximum);
        store(scores + j, e);
        total += e;
    }
    return 1 / sum(total);
}

// out = weights · values · scale + bias for `rows` <= ROWS queries; half a wide head at a time, as registers allow.
INLINED void mix_rows(float *out, const float *weights, const float *scale, const float *v, const float *bias,
                      size_t rows, size_t tokens, size_t padded, size_t stride, size_t width, size_t head) {
    enum { half_vectors = nexus_half_head / LANES };
    for (size_t start = 0; start < head; start += nexus_half_head) {
        vector total[ROWS][half_vectors];
        for (size_t r = 0; r < rows; r++) {
            for (size_t c = 0; c < half_vectors; c++) { total[r][c] = splat(0); }
        }
        for (size_t j = 0; j < tokens; j++) {
            for (size_t c = 0; c < half_vectors; c++) {
                vector value = load(v + j * stride + start + c * LANES);
                for (size_t r = 0; r < rows; r++) { total[r][c] += value * weights[r * padded + j]; }
            }
        }
        for (size_t r = 0; r < rows; r++) {
            for (size_t c = 0; c < half_vectors; c++) {
                size_t place = start + c * LANES;
                store(out + r * width + place, total[r][c] * scale[r] + load(bias + place));
            }
        }
    }
}

INLINED void attend(float *out, const float *q, const float *v, const float *bias, const float *keys, float *scores,
                    size_t rows, size_t tokens, size_t padded, size_t width, size_t head) {
    float query[ROWS][nexus_widest_head], scale[ROWS];
    // 1 / sqrt(head)
    float unit = head == nexus_half_head ? 0.17677669529663687f : 0.125f;
    for (size_t r = 0; r < rows; r++) {
        for (size_t d = 0; d < head; d++) { query[r][d] = (q[r * 3 * width + d] + bias[d]) * unit; }
    }
    score_rows(scores, query, keys, rows, tokens, padded, head);
    for (size_t r = 0; r < rows; r++) { scale[r] = exponentials_of_row(scores + r * padded, padded); }
    mix_rows(out, scores, scale, v, bias + 2 * width, rows, tokens, padded, 3 * width, width, head);
}

// Handles queries in groups of `count` as long as there are so many.
#define ATTEND(count) \
    for (; i + count <= tokens; i += count) { \
        attend(out + i * width, qkv + i * 3 * width, qkv + 2 * width, bias, keys, scores, count, tokens, padded, width, \
               head); \
    }

INLINED void attention_of(float *out, const float *qkv, const float *bias, size_t tokens, size_t heads, float *scratch,
                          size_t head) {
    size_t width = heads * head, padded = (tokens + nexus_pad - 1) / nexus_pad * nexus_pad;
    float *keys = scratch, *scores = scratch + head * padded;
    for (size_t h = 0; h < heads; h++, qkv += head, bias += head, out += head) {
        transpose_keys(keys, qkv + width, tokens, padded, 3 * width, head);
        size_t i = 0;
        ATTEND(ROWS)
        if (ROWS > 4) { ATTEND(4) }
        if (ROWS > 2) { ATTEND(2) }
        ATTEND(1)
    }
}

static void attention(float *out, const float *qkv, const float *bias, size_t tokens, size_t heads, size_t head,
                      float *scratch) {
    if (head == nexus_half_head) {
        attention_of(out, qkv, bias, tokens, heads, scratch, nexus_half_head);
    } else {
        attention_of(out, qkv, bias, tokens, heads, scratch, nexus_widest_head);
    }
}

const nexus_encoder_kernels TABLE = {
    .dot = dot,
    .softmax_rows = softmax_rows,
    .bias_gelu = bias_gelu,
    .residual_layer_norm = residual_layer_norm,
    .mean_pool_unit = mean_pool_unit,
    .attention = attention,
};
