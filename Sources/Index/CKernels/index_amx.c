// The batch kernel for processors with tile registers (AMX): one instruction multiplies 16 queries with 16 rows over 64
// components. Everything else is what nexus_index_kernels_vnni has.
#if defined(__x86_64__)
#include <immintrin.h>
#include <math.h>
#include <string.h>

#pragma clang attribute push( \
    __attribute__((target("avx512f,avx512bw,avx512vl,avx512vnni,avx512vbmi,avx512bitalg,avx2,fma,amx-tile,amx-int8"))),\
    apply_to = function)
#include "bit_shared.h"
#include "transpose.h"

enum { tile = 16, step = 64 };

// Tiles 0 to 3 hold sums (two lots of queries by two lots of rows), 4 and 5 queries, 6 and 7 rows; a lot has 1 to 16
// queries, of 1 to 32 in all.
static void configure(size_t count) {
    size_t first = count < tile ? count : tile, second = count > tile ? count - tile : tile;
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
    size_t length = 2 * nexus_part(width), configured = 0;
    uint8_t *panel = scratch + (-(uintptr_t)scratch & (step - 1));
    for (size_t start = 0; start < rows; start += nexus_panel_rows) {
        size_t row_count = rows - start < nexus_panel_rows ? rows - start : nexus_panel_rows;
        nexus_pack_panel(panel, high + start * width, low + start * width, width, row_count);
        for (size_t q = 0; q < query_count; q += 2 * tile) {
            size_t count = query_count - q < 2 * tile ? query_count - q : 2 * tile;
            if (count != configured) { configure(count); }
            configured = count;
            panel_dots(sums, panel, length, queries + q * length, length, count);
            for (size_t i = 0; i < count; i++) {
                memcpy(out + (q + i) * rows + start, sums + i * 2 * tile, row_count * sizeof *sums);
            }
        }
    }
    _tile_release();
}

// MARK: bits

// Where vpmultishiftqb finds the bits of number n of every four of two rows, which are 32 bits each.
static inline __m512i bit_places(int n) {
    return _mm512_add_epi8(_mm512_set1_epi64(0x2322212003020100), _mm512_set1_epi8((char)(4 * n)));
}

// Writes the bits of up to 32 rows as bytes of 0 and 1 in the order of `nexus_pack_panel`; missing rows are zero.
static void pack_bits(uint8_t *panel, const uint8_t *bits, size_t width, size_t rows) {
    enum { lot = 16, word = 4, fours = 8 };
    const __m512i one = _mm512_set1_epi8(1);
    for (size_t start = 0; start < nexus_panel_rows; start += lot) {
        for (size_t j = 0; j < width; j += step) {
            size_t count = width - j < step ? width - j : step;
            __mmask16 mask = (__mmask16)(0xFFFF >> (lot - count / word));
            __m512i v[lot];
            for (size_t i = 0; i < lot; i++) {
                const uint8_t *row = bits + (start + i < rows ? start + i : 0) * width + j;
                v[i] = _mm512_maskz_loadu_epi32(start + i < rows ? mask : 0, row);
            }
            nexus_transpose(v);
            for (size_t i = 0; i < count / word; i++) {
                for (int n = 0; n < fours; n++, panel += step) {
                    __m512i bytes = _mm512_multishift_epi64_epi8(bit_places(n), v[i]);
                    _mm512_storeu_si512(panel, _mm512_and_si512(bytes, one));
                }
            }
        }
    }
}

// Counting costs about 6.5 ns a row and query at 1536 components, tiles 40 ns a row and 1.7 ns a row and query: ten
// queries or more are worth the expansion. (On a Xeon of the Sapphire Rapids kind. Neither fetching ahead of the tiles
// nor keeping 512 components of a panel in the first-level cache for all queries made it faster.)
static void bit_batch_dots(int32_t *out, const uint8_t *bits, size_t width, size_t rows, const uint8_t *queries,
                           size_t query_count, uint8_t *scratch) {
    int32_t sums[2 * tile * 2 * tile] __attribute__((aligned(64)));
    size_t stride = nexus_bit_stride(width), configured = 0;
    if (query_count < 10) {
        nexus_bit_batch_dots(out, bits, width, rows, queries, query_count, nexus_bit_dots_bitalg);
        return;
    }
    uint8_t *panel = scratch + (-(uintptr_t)scratch & (step - 1));
    for (size_t start = 0; start < rows; start += nexus_panel_rows) {
        size_t row_count = rows - start < nexus_panel_rows ? rows - start : nexus_panel_rows;
        pack_bits(panel, bits + start * width, width, row_count);
        for (size_t q = 0; q < query_count; q += 2 * tile) {
            size_t count = query_count - q < 2 * tile ? query_count - q : 2 * tile;
            if (count != configured) { configure(count); }
            configured = count;
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
    .row_dots = nexus_row_dots_vnni,
    .estimate = nexus_estimate_vnni,
    .reaching = nexus_reaching_vnni,
    .reaching_within = nexus_reaching_within_vnni,
    .high_mark = nexus_high_mark_vnni,
    .batch_dots = batch_dots,
    .rotate = nexus_rotate,
    .encode_bits = nexus_encode_bits,
    .encode_bit_query = nexus_encode_bit_query,
    .bit_dots = nexus_bit_dots_bitalg,
    .bit_batch_dots = bit_batch_dots,
};
#pragma clang attribute pop
#endif
