// The batch kernel for processors with tile registers (AMX): one instruction multiplies 16 queries with 16 rows over 64
// components. Everything else is what nexus_index_kernels_vnni has.
#if defined(__x86_64__)
#include <immintrin.h>
#include <math.h>
#include <string.h>

#pragma clang attribute push( \
    __attribute__((target("avx512f,avx512bw,avx512vl,avx512vnni,avx512bitalg,avx2,fma,amx-tile,amx-int8"))), apply_to = function)
#include "bit_shared.h"

enum { tile = 16, step = 64 };

// Tiles 0 to 3 hold sums (two lots of queries by two lots of rows), 4 and 5 queries, 6 and 7 rows; a lot has 1 to 16
// queries.
static void configure(size_t first, size_t second) {
    struct {
        uint8_t palette, start, reserved[14];
        uint16_t bytes[16];
        uint8_t rows[16];
    } shape = {.palette = 1};
    const uint8_t rows[8] = {(uint8_t)first, (uint8_t)first, (uint8_t)second, (uint8_t)second,
                             (uint8_t)first, (uint8_t)second, tile, tile};
    for (int i = 0; i < 8; i++) {
        shape.bytes[i] = step;
        shape.rows[i] = rows[i];
    }
    _tile_loadconfig(&shape);
}

// Products of up to 32 queries, `stride` bytes apart, and the 32 rows of a panel, in `sums` as 32 rows of 32 numbers.
static void panel_dots(int32_t *sums, const uint8_t *panel, size_t length, const int8_t *queries, size_t stride,
                       size_t count) {
    const int8_t *others = queries + tile * stride;
    const uint8_t *later = panel + tile * length;
    _tile_zero(0);
    _tile_zero(1);
    _tile_zero(2);
    _tile_zero(3);
    for (size_t c = 0; c < length; c += step) {
        _tile_loadd(4, queries + c, stride);
        _tile_loadd(6, panel + c * tile, step);
        _tile_loadd(7, later + c * tile, step);
        _tile_dpbsud(0, 4, 6);
        _tile_dpbsud(1, 4, 7);
        if (count > tile) {
            _tile_loadd(5, others + c, stride);
            _tile_dpbsud(2, 5, 6);
            _tile_dpbsud(3, 5, 7);
        }
    }
    enum { row_bytes = 2 * tile * sizeof(int32_t) };
    _tile_stored(0, sums, row_bytes);
    _tile_stored(1, sums + tile, row_bytes);
    if (count > tile) {
        _tile_stored(2, sums + tile * 2 * tile, row_bytes);
        _tile_stored(3, sums + tile * 2 * tile + tile, row_bytes);
    }
}

static void batch_dots(int32_t *out, const uint8_t *high, const uint8_t *low, size_t width, size_t rows,
                       const int8_t *queries, size_t query_count, uint8_t *scratch) {
    int32_t sums[2 * tile * 2 * tile] __attribute__((aligned(64)));
    size_t length = 2 * nexus_part(width);
    uint8_t *panel = scratch + (-(uintptr_t)scratch & (step - 1));
    for (size_t start = 0; start < rows; start += nexus_panel_rows) {
        size_t row_count = rows - start < nexus_panel_rows ? rows - start : nexus_panel_rows;
        nexus_pack_panel(panel, high + start * width, low + start * width, width, row_count);
        for (size_t q = 0; q < query_count; q += 2 * tile) {
            size_t count = query_count - q < 2 * tile ? query_count - q : 2 * tile;
            configure(count < tile ? count : tile, count > tile ? count - tile : tile);
            panel_dots(sums, panel, length, queries + q * length, length, count);
            for (size_t i = 0; i < count; i++) {
                memcpy(out + (q + i) * rows + start, sums + i * 2 * tile, row_count * sizeof *sums);
            }
        }
    }
    _tile_release();
}

// A panel of bits holds them as bytes of 0 and 1. Few queries are not worth the expansion.
static void bit_batch_dots(int32_t *out, const uint8_t *bits, size_t width, size_t rows, const uint8_t *queries,
                           size_t query_count, uint8_t *scratch) {
    int32_t sums[2 * tile * 2 * tile] __attribute__((aligned(64)));
    size_t stride = nexus_bit_stride(width);
    if (query_count < 12) {
        nexus_bit_batch_dots(out, bits, width, rows, queries, query_count, nexus_bit_dots_bitalg);
        return;
    }
    uint8_t *panel = scratch + (-(uintptr_t)scratch & (step - 1));
    for (size_t start = 0; start < rows; start += nexus_panel_rows) {
        size_t row_count = rows - start < nexus_panel_rows ? rows - start : nexus_panel_rows;
        nexus_pack_bits(panel, bits + start * width, width, row_count);
        for (size_t q = 0; q < query_count; q += 2 * tile) {
            size_t count = query_count - q < 2 * tile ? query_count - q : 2 * tile;
            configure(count < tile ? count : tile, count > tile ? count - tile : tile);
            panel_dots(sums, panel, 8 * width, nexus_bit_codes(queries + q * stride, width), stride, count);
            for (size_t i = 0; i < count; i++) {
                memcpy(out + (q + i) * rows + start, sums + i * 2 * tile, row_count * sizeof *sums);
            }
        }
    }
    _tile_release();
}

const nexus_index_kernels nexus_index_kernels_amx = {
    .encode_row = nexus_encode_row,
    .encode_query = nexus_encode_query,
    .precise_dots = nexus_precise_dots,
    .plane_dots = nexus_plane_dots_vnni,
    .plane_dots_at = nexus_plane_dots_at_vnni,
    .reaching = nexus_reaching,
    .batch_dots = batch_dots,
    .rotate = nexus_rotate,
    .encode_bits = nexus_encode_bits,
    .encode_bit_query = nexus_encode_bit_query,
    .bit_dots = nexus_bit_dots_bitalg,
    .bit_batch_dots = bit_batch_dots,
    .bit_reaching = nexus_bit_reaching,
};
#pragma clang attribute pop
#endif
