// The index's kernels in plain C: the reference that the others are tested against.
#include "bit_shared.h"

static int32_t dot(const uint8_t *row, size_t width, const int8_t *query) {
    const int8_t *second = query + nexus_part(width);
    int32_t sum = 0;
    for (size_t j = 0; j < width; j++) { sum += (row[j] & 15) * query[j] + (row[j] >> 4) * second[j]; }
    return sum;
}

static void plane_dots(int32_t *out, const uint8_t *plane, size_t width, size_t rows, const int8_t *query) {
    for (size_t i = 0; i < rows; i++) { out[i] = dot(plane + i * width, width, query); }
}

static void plane_dots_at(int32_t *out, const uint8_t *plane, size_t width, const uint32_t *rows, size_t count,
                          const int8_t *query) {
    for (size_t i = 0; i < count; i++) { out[i] = dot(plane + rows[i] * width, width, query); }
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
    .plane_dots = plane_dots,
    .plane_dots_at = plane_dots_at,
    .reaching = nexus_reaching,
    .batch_dots = batch_dots,
    .rotate = nexus_rotate,
    .encode_bits = nexus_encode_bits,
    .encode_bit_query = nexus_encode_bit_query,
    .bit_dots = nexus_bit_dots_portable,
    .bit_batch_dots = bit_batch_dots,
    .bit_reaching = nexus_bit_reaching,
};
