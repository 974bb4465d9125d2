// Linear maps for processors with AMX, whose tiles multiply bfloat16 sixteen times as fast as vectors multiply floats.
//
// A float is the sum of two bfloat16, high + low, within 2^-17 of it; a product is taken as high · high + high · low +
// low · high, summed in floats. That leaves out less than 2^-16 of each product: between float and bfloat16, much
// nearer to float. (Henry, Tang, Heinecke: Leveraging the bfloat16 artificial intelligence datatype for higher-precision
// computations, arXiv 1904.06376.)
#if defined(__x86_64__) && defined(__linux__)
#include <immintrin.h>
#include <stdint.h>
#include <string.h>

#pragma clang attribute push(__attribute__((target("amx-tile,amx-bf16,avx512bf16,avx512bw,avx512vl,avx512f,avx2,fma"))), \
                             apply_to = function)
#define LANES 16
#include "gemm_variants.h"
#include "vector_math.h"

enum {
    side = 16,              // rows of a tile, and columns of one of sums
    step = 32,              // terms in a tile
    tile = side * step,     // bfloat16 in a tile
    block_side = 2 * side,  // rows and columns that are multiplied together: four tiles of sums
    depth = nexus_gemm_depth,
    // Rows split at a time: 390 kB for 384 terms.
    rows_at_once = 256,
};

typedef uint16_t half;

static half rounded(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (half)((bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
}

static float widened(half value) {
    uint32_t bits = (uint32_t)value << 16;
    float wide;
    memcpy(&wide, &bits, sizeof wide);
    return wide;
}

// Packs 32 columns by 32 terms: the high tiles of the left and the right columns, then the low ones. A tile's row holds
// two terms of each column side by side.
static void pack_step(half *packed, const float *weight, size_t columns, size_t terms, size_t k) {
    for (size_t j = 0; j < block_side; j++) {
        for (size_t p = 0; p < step; p++) {
            float value = j < columns && p < terms ? weight[j * k + p] : 0;
            half *to = packed + j / side * tile + p / 2 * step + j % side * 2 + p % 2;
            to[0] = rounded(value);
            to[2 * tile] = rounded(value - widened(to[0]));
        }
    }
}

static void pack(float *packed, const float *weight, size_t columns, size_t k) {
    half *to = (half *)packed;
    for (size_t first = 0; first < columns; first += block_side) {
        for (size_t p = 0; p < k; p += step, to += 4 * tile) {
            pack_step(to, weight + first * k + p, columns - first, k - p, k);
        }
    }
}

static inline __m512 load_terms(const float *x, size_t count) {
    return count >= LANES ? _mm512_loadu_ps(x) : _mm512_maskz_loadu_ps((__mmask16)((1u << count) - 1), x);
}

static inline __m512 rest(__m512 value, __m256i high) {
    return _mm512_sub_ps(value, _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(high), 16)));
}

// Splits 32 terms of a row into its places in the high and in the low tile.
static inline void split_terms(half *to, const float *x, size_t count) {
    __m512 left = load_terms(x, count), right = count > LANES ? load_terms(x + LANES, count - LANES) : _mm512_setzero_ps();
    __m512i high = (__m512i)_mm512_cvtne2ps_pbh(right, left);
    left = rest(left, _mm512_castsi512_si256(high));
    right = rest(right, _mm512_extracti64x4_epi64(high, 1));
    _mm512_storeu_si512(to, high);
    _mm512_storeu_si512(to + tile, (__m512i)_mm512_cvtne2ps_pbh(right, left));
}

// Splits `rows` rows of `terms` terms; rows up to the next multiple of 32 are zero. Behind each other: 16 rows, in these
// 32 terms, of these the high and the low tile.
static void split(half *to, const float *x, size_t stride, size_t rows, size_t terms) {
    size_t steps = (terms + step - 1) / step, padded = (rows + block_side - 1) / block_side * block_side;
    for (size_t i = 0; i < padded; i++) {
        half *row = to + i / side * steps * 2 * tile + i % side * step;
        for (size_t s = 0; s < steps; s++, row += 2 * tile) {
            split_terms(row, x + (i < rows ? i * stride + s * step : 0), i < rows ? terms - s * step : 0);
        }
    }
}

static void configure_tiles(void) {
    struct __attribute__((packed)) {
        uint8_t palette, start, reserved[14];
        uint16_t row_bytes[16];
        uint8_t rows[16];
    } configuration = {.palette = 1};
    for (int i = 0; i < 8; i++) {
        configuration.row_bytes[i] = 64;
        configuration.rows[i] = side;
    }
    _tile_loadconfig(&configuration);
}

#define ROW_BYTES 64

#define MULTIPLY_FOUR \
    _tile_dpbf16ps(0, 4, 6); \
    _tile_dpbf16ps(1, 4, 7); \
    _tile_dpbf16ps(2, 5, 6); \
    _tile_dpbf16ps(3, 5, 7)

// A block of sums, 32 rows by 32 columns, in memory.
typedef struct sums {
    float *start;
    size_t row_bytes;
} sums;

// to = from + rows · weights; NULL in `from` means zero. Tiles 0 to 3 are the sums, 4 and 5 the rows, 6 and 7 the columns.
static void multiply_block(sums to, sums from, const half *rows, const half *weights, size_t steps) {
    const half *lower = rows + steps * 2 * tile;
    if (from.start == NULL) {
        _tile_zero(0);
        _tile_zero(1);
        _tile_zero(2);
        _tile_zero(3);
    } else {
        const char *below = (const char *)from.start + side * from.row_bytes;
        _tile_loadd(0, from.start, from.row_bytes);
        _tile_loadd(1, from.start + side, from.row_bytes);
        _tile_loadd(2, below, from.row_bytes);
        _tile_loadd(3, below + ROW_BYTES, from.row_bytes);
    }
    for (size_t s = 0; s < steps; s++, rows += 2 * tile, lower += 2 * tile, weights += 4 * tile) {
        _tile_loadd(4, rows + tile, ROW_BYTES);
        _tile_loadd(5, lower + tile, ROW_BYTES);
        _tile_loadd(6, weights, ROW_BYTES);
        _tile_loadd(7, weights + tile, ROW_BYTES);
        MULTIPLY_FOUR;
        _tile_loadd(4, rows, ROW_BYTES);
        _tile_loadd(5, lower, ROW_BYTES);
        MULTIPLY_FOUR;
        _tile_loadd(6, weights + 2 * tile, ROW_BYTES);
        _tile_loadd(7, weights + 3 * tile, ROW_BYTES);
        MULTIPLY_FOUR;
    }
    char *below = (char *)to.start + side * to.row_bytes;
    _tile_stored(0, to.start, to.row_bytes);
    _tile_stored(1, to.start + side, to.row_bytes);
    _tile_stored(2, below, to.row_bytes);
    _tile_stored(3, below + ROW_BYTES, to.row_bytes);
}

// What becomes of a block's sums.
typedef struct part {
    const float *bias;
    nexus_gemm_finish finish;
    // Whether the first and the last part of k are among the terms.
    int begins, ends;
} part;

static inline void finish_vector(const part *p, float *out, const float *sums, size_t column, size_t count) {
    vector value = load(sums + column);
    if (p->ends && p->bias != NULL) {
        value += count == LANES ? load(p->bias + column) : load_part(p->bias + column, count, 0);
    }
    if (p->ends && p->finish == nexus_gemm_finish_gelu) { value = gelu(value); }
    if (count == LANES) {
        store(out + column, value);
    } else {
        store_part(out + column, value, count);
    }
}

static void multiply_into(float *out, size_t stride, const part *p, const half *x, const half *weights, size_t steps,
                          size_t rows, size_t columns) {
    float memory[block_side * block_side] __attribute__((aligned(64)));
    int is_whole = rows == block_side && columns == block_side;
    sums direct = {out, stride * sizeof(float)}, aside = {memory, block_side * sizeof(float)};
    if (!p->begins && !is_whole) {
        memset(memory, 0, sizeof memory);
        for (size_t i = 0; i < rows; i++) { memcpy(memory + i * block_side, out + i * stride, columns * sizeof(float)); }
    }
    sums from = p->begins ? (sums){NULL, 0} : is_whole ? direct : aside;
    if (is_whole && !p->ends) {
        multiply_block(direct, from, x, weights, steps);
        return;
    }
    multiply_block(aside, from, x, weights, steps);
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < columns; j += LANES) {
            finish_vector(p, out + i * stride, memory + i * block_side, j, columns - j < LANES ? columns - j : LANES);
        }
    }
}

// Multiplies the split rows with all columns.
static void multiply_part(float *out, size_t stride, part p, const half *x, const half *weights, size_t terms,
                          size_t rows, size_t columns, size_t k) {
    size_t steps = (terms + step - 1) / step, column_count = nexus_gemm_padded(k) * block_side * 2;
    for (size_t first = 0; first < columns; first += block_side, weights += column_count) {
        for (size_t i = 0; i < rows; i += block_side) {
            multiply_into(out + i * stride + first, stride, &p, x + i * 2 * steps * step, weights, steps,
                          rows - i < block_side ? rows - i : block_side,
                          columns - first < block_side ? columns - first : block_side);
        }
        if (p.bias != NULL) { p.bias += block_side; }
    }
}

static void multiply(float *out, size_t out_stride, const float *x, size_t x_stride, const float *packed,
                     const float *bias, size_t rows, size_t columns, size_t k, nexus_gemm_finish finish,
                     float *scratch) {
    half *split_rows = (half *)(((uintptr_t)scratch + 63) / 64 * 64);
    configure_tiles();
    for (size_t row = 0; row < rows; row += rows_at_once) {
        size_t count = rows - row < rows_at_once ? rows - row : rows_at_once, done = 0;
        do {
            size_t terms = k - done < depth ? k - done : depth;
            split(split_rows, x + row * x_stride + done, x_stride, count, terms);
            part p = {.bias = bias, .finish = finish, .begins = done == 0, .ends = done + terms == k};
            multiply_part(out + row * out_stride, out_stride, p, split_rows,
                          (const half *)packed + done * block_side * 2, terms, count, columns, k);
            done += terms;
        } while (done < k);
    }
    _tile_release();
}

const nexus_gemm_kernels nexus_gemm_kernels_amx = {.pack = pack, .multiply = multiply};
#pragma clang attribute pop
#endif
