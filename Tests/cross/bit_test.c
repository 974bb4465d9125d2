// The kernels of the compact form: every set against products that were made from the codes of the query one by one,
// and what is stored against the portable set, byte by byte.
#include "CKernels.h"
#include "guarded.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { row_count = 11, query_count = 5 };

typedef struct codes {
    size_t length, width, size;
    guarded numbers, bits, queries, scratch;
    int32_t products[query_count * row_count];
} codes;

// Sum of bit times code: a row with a single bit gives the code of that component.
static void find_products(codes *c, const nexus_index_kernels *portable) {
    memset(c->products, 0, sizeof c->products);
    guarded single = guarded_bytes(c->width, at_end);
    for (size_t i = 0; i < c->length; i++) {
        uint8_t bit = (uint8_t)(1 << i % 8);
        single.bytes[i / 8] = bit;
        for (size_t q = 0; q < query_count; q++) {
            int32_t code;
            portable->bit_dots(&code, single.bytes, c->width, 1, c->queries.bytes + q * c->size);
            for (size_t r = 0; r < row_count; r++) {
                if (c->bits.bytes[r * c->width + i / 8] & bit) { c->products[q * row_count + r] += code; }
            }
        }
        single.bytes[i / 8] = 0;
    }
    release(single);
}

static codes make_codes(size_t length, placement place, const nexus_index_kernels *portable) {
    codes c = {.length = length, .width = nexus_bit_width(length)};
    c.size = nexus_bit_query_size(c.width);
    c.numbers = guarded_bytes(length * sizeof(float), at_end);
    c.bits = guarded_bytes(row_count * c.width, place);
    c.queries = guarded_bytes(query_count * c.size, place);
    c.scratch = guarded_bytes(nexus_bit_scratch_size(c.width), place);
    float *x = (float *)c.numbers.bytes;
    for (size_t row = 0; row < row_count + query_count; row++) {
        for (size_t i = 0; i < length; i++) { x[i] = (float)(next_random() % 20000 + 1) / 10000 - 1.00005f; }
        if (row < row_count) {
            portable->encode_bits(c.bits.bytes + row * c.width, x, length);
        } else {
            portable->encode_bit_query(c.queries.bytes + (row - row_count) * c.size, x, length);
        }
    }
    // All bits set: the largest sums.
    for (size_t i = 0; i < length; i++) { x[i] = 1; }
    portable->encode_bits(c.bits.bytes + (row_count - 1) * c.width, x, length);
    portable->encode_bit_query(c.queries.bytes + (query_count - 1) * c.size, x, length);
    find_products(&c, portable);
    return c;
}

static void release_codes(codes c) {
    guarded all[] = {c.numbers, c.bits, c.queries, c.scratch};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) { release(all[i]); }
}

// The last `count` rows, so that the plane's last byte is always read.
static void test_products(const nexus_index_kernels *kernels, const codes *c, size_t count, size_t queries) {
    size_t row = row_count - count, query = query_count - queries;
    const uint8_t *bits = c->bits.bytes + row * c->width, *first = c->queries.bytes + query * c->size;
    guarded one = guarded_bytes(count * sizeof(int32_t), at_end);
    guarded batch = guarded_bytes(count * queries * sizeof(int32_t), at_end);
    kernels->bit_dots((int32_t *)one.bytes, bits, c->width, count, first);
    kernels->bit_batch_dots((int32_t *)batch.bytes, bits, c->width, count, first, queries, c->scratch.bytes);
    for (size_t i = 0; i < count * queries; i++) {
        int32_t expected = c->products[(query + i / count) * row_count + row + i % count];
        if (i < count && ((int32_t *)one.bytes)[i] != expected) { fail("bit_dots: length, rows", c->length, count, i); }
        if (((int32_t *)batch.bytes)[i] != expected) { fail("bit_batch_dots: length, rows", c->length, count, i); }
    }
    release(one);
    release(batch);
}

// Rotated rows, and the codes of rows and queries, have the same bytes in every set.
static void test_encoding(const nexus_index_kernels *kernels, const nexus_index_kernels *portable, const codes *c) {
    guarded rotated[2], bits[2], queries[2];
    nexus_bit_row rows[2];
    nexus_bit_query sums[2];
    for (size_t i = 0; i < 2; i++) {
        const nexus_index_kernels *set = i ? portable : kernels;
        rotated[i] = guarded_bytes(c->length * sizeof(float), at_end);
        bits[i] = guarded_bytes(c->width, at_end);
        queries[i] = guarded_bytes(c->size, at_end);
        set->rotate((float *)rotated[i].bytes, (const float *)c->numbers.bytes, c->length);
        rows[i] = set->encode_bits(bits[i].bytes, (const float *)rotated[i].bytes, c->length);
        sums[i] = set->encode_bit_query(queries[i].bytes, (const float *)rotated[i].bytes, c->length);
    }
    if (memcmp(rotated[0].bytes, rotated[1].bytes, c->length * sizeof(float)) != 0) { fail("rotate", c->length, 0, 0); }
    if (memcmp(bits[0].bytes, bits[1].bytes, c->width) != 0 || memcmp(rows, rows + 1, sizeof *rows) != 0) {
        fail("encode_bits", c->length, 0, 0);
    }
    if (memcmp(queries[0].bytes, queries[1].bytes, c->size) != 0 || sums[0].sum != sums[1].sum) {
        fail("encode_bit_query", c->length, 0, 0);
    }
    for (size_t i = 0; i < 2; i++) {
        release(rotated[i]);
        release(bits[i]);
        release(queries[i]);
    }
}

void test_bit_kernels(size_t best) {
    static const size_t lengths[] = {1, 3, 63, 64, 65, 100, 192, 384, 768, 1000, 1024, 1536, 3072, 4096, 16384};
    const nexus_index_kernels *portable = nexus_index_kernels_for(nexus_index_set_portable);
    size_t done = 0;
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++) {
        for (int place = 0; place < placements; place++) {
            codes c = make_codes(lengths[l], (placement)place, portable);
            for (size_t set = 0; set <= best; set++) {
                const nexus_index_kernels *kernels = nexus_index_kernels_for((nexus_index_set)set);
                test_encoding(kernels, portable, &c);
                for (size_t count = 1; count <= row_count; count++) {
                    for (size_t queries = 1; queries <= query_count; queries += 2, done++) {
                        test_products(kernels, &c, count, queries);
                    }
                }
            }
            release_codes(c);
        }
    }
    printf("compact form, all sets: %zu cases equal\n", done);
}
