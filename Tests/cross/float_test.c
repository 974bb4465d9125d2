// The kernels of the encoder and of linear maps, once each with the portable tables, against plain loops in double
// precision: enough to see that they work on this processor. The Swift tests go through the cases.
#include "CKernels.h"
#include "guarded.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { rows = 7, columns = 45, depth = 401, tokens = 19, heads = 2 };

// Room for `count` floats that ends where memory does; filled with numbers in -1...1.
static guarded random_floats(size_t count) {
    guarded memory = guarded_bytes(count * sizeof(float), at_end);
    float *x = (float *)memory.bytes;
    for (size_t i = 0; i < count; i++) { x[i] = (float)(next_random() % 20001) / 10000 - 1; }
    return memory;
}

static guarded copy(guarded memory, size_t count) {
    guarded other = random_floats(count);
    memcpy(other.bytes, memory.bytes, count * sizeof(float));
    return other;
}

static void check(const char *what, size_t place, double value, double expected) {
    if (!(fabs(value - expected) <= 2e-5 * fmax(1, fabs(expected)))) { fail(what, place, 0, 0); }
}

#define FLOATS(memory) ((float *)(memory).bytes)

static double plain_gelu(double v) { return v / 2 * (1 + erf(v / sqrt(2))); }

static void test_rows(const nexus_encoder_kernels *kernels) {
    guarded x = random_floats(rows * columns), bias = random_floats(columns), y = random_floats(rows * columns);
    guarded soft = copy(x, rows * columns), gelu = copy(x, rows * columns), norm = copy(x, rows * columns);
    guarded mean = random_floats(columns);
    kernels->softmax_rows(FLOATS(soft), rows, columns, columns);
    kernels->bias_gelu(FLOATS(gelu), FLOATS(bias), rows, columns);
    kernels->residual_layer_norm(FLOATS(norm), FLOATS(y), FLOATS(bias), FLOATS(bias), FLOATS(mean), 1e-3f,
                                rows, columns);
    double product = 0;
    for (size_t i = 0; i < rows; i++) {
        const float *row = FLOATS(x) + i * columns, *other = FLOATS(y) + i * columns;
        double total = 0, sum = 0, square = 0, added[columns];
        for (size_t j = 0; j < columns; j++) {
            total += exp(row[j]);
            added[j] = (double)row[j] + other[j] + FLOATS(bias)[j];
            sum += added[j] / columns;
            product += (double)row[j] * other[j];
        }
        for (size_t j = 0; j < columns; j++) { square += (added[j] - sum) * (added[j] - sum) / columns; }
        for (size_t j = 0; j < columns; j++) {
            size_t place = i * columns + j;
            double b = FLOATS(bias)[j], unit = (added[j] - sum) / sqrt(square + 1e-3);
            check("softmax_rows", place, FLOATS(soft)[place], exp(row[j]) / total);
            check("bias_gelu", place, FLOATS(gelu)[place], plain_gelu(row[j] + b));
            check("residual_layer_norm", place, FLOATS(norm)[place], unit * b + FLOATS(mean)[j]);
        }
    }
    check("dot", 0, kernels->dot(FLOATS(x), FLOATS(y), rows * columns), product);

    double means[columns] = {0}, length = 0;
    for (size_t i = 0; i < rows * columns; i++) { means[i % columns] += FLOATS(x)[i]; }
    for (size_t j = 0; j < columns; j++) { length += means[j] * means[j]; }
    kernels->mean_pool_unit(FLOATS(mean), FLOATS(x), rows, columns);
    for (size_t j = 0; j < columns; j++) { check("mean_pool_unit", j, FLOATS(mean)[j], means[j] / sqrt(length)); }

    guarded all[] = {x, bias, y, soft, gelu, norm, mean};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) { release(all[i]); }
}

static void test_attention(const nexus_encoder_kernels *kernels, size_t head) {
    size_t width = heads * head;
    guarded qkv = random_floats(tokens * 3 * width), bias = random_floats(3 * width);
    guarded out = random_floats(tokens * width), scratch = random_floats(nexus_attention_scratch_count(tokens, head));
    kernels->attention(FLOATS(out), FLOATS(qkv), FLOATS(bias), tokens, heads, head, FLOATS(scratch));
    for (size_t i = 0; i < tokens * width; i++) {
        size_t token = i / width, column = i % width, start = column / head * head;
        double total = 0, mixed = 0;
        for (size_t t = 0; t < tokens; t++) {
            const float *query = FLOATS(qkv) + token * 3 * width, *other = FLOATS(qkv) + t * 3 * width;
            double score = 0;
            for (size_t d = start; d < start + head; d++) {
                score += ((double)query[d] + FLOATS(bias)[d]) * other[width + d];
            }
            double weight = exp(score / sqrt((double)head));
            total += weight;
            mixed += weight * ((double)other[2 * width + column] + FLOATS(bias)[2 * width + column]);
        }
        check("attention", i, FLOATS(out)[i], mixed / total);
    }
    release(qkv);
    release(bias);
    release(out);
    release(scratch);
}

static void test_linear_map(const nexus_gemm_kernels *kernels, nexus_gemm_finish finish) {
    guarded x = random_floats(rows * depth), weight = random_floats(columns * depth), bias = random_floats(columns);
    guarded packed = random_floats(nexus_gemm_packed_count(columns, depth)), out = random_floats(rows * columns);
    guarded scratch = random_floats(nexus_gemm_scratch_count());
    kernels->pack(FLOATS(packed), FLOATS(weight), columns, depth);
    kernels->multiply(FLOATS(out), columns, FLOATS(x), depth, FLOATS(packed), FLOATS(bias), rows, columns, depth,
                      finish, FLOATS(scratch));
    for (size_t i = 0; i < rows * columns; i++) {
        double sum = FLOATS(bias)[i % columns];
        for (size_t k = 0; k < depth; k++) {
            sum += (double)FLOATS(x)[i / columns * depth + k] * FLOATS(weight)[i % columns * depth + k];
        }
        check("multiply", i, FLOATS(out)[i], finish == nexus_gemm_finish_gelu ? plain_gelu(sum) : sum);
    }
    guarded all[] = {x, weight, bias, packed, out, scratch};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) { release(all[i]); }
}

void test_float_kernels(void) {
    const nexus_encoder_kernels *encoder = nexus_encoder_kernels_for(nexus_instruction_set_portable);
    const nexus_gemm_kernels *linear = nexus_gemm_kernels_for(nexus_gemm_variant_portable);
    test_rows(encoder);
    test_attention(encoder, 32);
    test_attention(encoder, 64);
    test_linear_map(linear, nexus_gemm_finish_none);
    test_linear_map(linear, nexus_gemm_finish_gelu);
    printf("encoder and linear maps, portable: as plain loops\n");
}
