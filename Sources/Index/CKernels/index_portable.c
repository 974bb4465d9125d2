// The index's kernels in plain C: the reference that the others are tested against.
#include "bit_shared.h"

static int32_t dot(const uint8_t *row, size_t width, const int8_t *query) {
    const int8_t *second = query + nexus_part(width);
    int32_t sum = 0;
    for (size_t j = 0; j < width; j++) { sum += (row[j] & 15) * query[j] + (row[j] >> 4) * second[j]; }
    return sum;
}

static void row_dots(int32_t *out, const uint8_t *const *rows, size_t count, size_t available, size_t width,
                     const int8_t *query) {
    (void)available;
    for (size_t i = 0; i < count; i++) { out[i] = dot(rows[i], width, query); }
}

static void batch_dots(int32_t *out, const uint8_t *high, const uint8_t *low, size_t width, size_t rows,
                       const int8_t *queries, size_t query_count, uint8_t *scratch) {
    (void)scratch;
    for (size_t i = 0; i < rows; i++) {
        for (size_t q = 0; q < query_count; q++) {
            const int8_t *query = queries + q * 2 * nexus_part(width);
            out[q * rows + i] = 16 * dot(high + i * width, width, query) + dot(low + i * width, width, query);
        }
    }
}

static void bit_batch_dots(int32_t *out, const uint8_t *bits, size_t width, size_t rows, const uint8_t *queries,
                           size_t query_count, uint8_t *scratch) {
    (void)scratch;
    nexus_bit_batch_dots(out, bits, width, rows, queries, query_count, nexus_bit_dots_portable);
}

const nexus_index_kernels nexus_index_kernels_portable = {
    .encode_row = nexus_encode_row,
    .encode_query = nexus_encode_query,
    .precise_dots = nexus_precise_dots,
    .row_dots = row_dots,
    .estimate = nexus_estimate,
    .reaching = nexus_reaching,
    .reaching_within = nexus_reaching_within,
    .high_mark = nexus_high_mark,
    .batch_dots = batch_dots,
    .rotate = nexus_rotate,
    .encode_bits = nexus_encode_bits,
    .encode_bit_query = nexus_encode_bit_query,
    .bit_dots = nexus_bit_dots_portable,
    .bit_batch_dots = bit_batch_dots,
};
