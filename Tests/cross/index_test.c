// Products of the index's kernels, on a processor that the Swift tests do not run on: every table that there is against
// plain loops, and so against the portable one. Arrays begin at odd addresses or end where memory does.
//
// usage: index_test BEST     BEST is the number of the set that must be the best one, see nexus_index_set
#include "CKernels.h"
#include "guarded.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// MARK: support

guarded guarded_bytes(size_t count, placement place) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE), inside = (count + 1 + page - 1) / page * page;
    guarded memory = {.mapped = inside + 2 * page};
    memory.mapping = mmap(NULL, memory.mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory.mapping == MAP_FAILED || mprotect(memory.mapping + page, inside, PROT_READ | PROT_WRITE) != 0) {
        fail("no memory", count, 0, 0);
    }
    size_t offset = place == at_end ? inside - count : place == misaligned ? 1 : 0;
    memory.bytes = memory.mapping + page + offset;
    return memory;
}

void release(guarded memory) { munmap(memory.mapping, memory.mapped); }

void fail(const char *what, size_t first, size_t second, size_t third) {
    fprintf(stderr, "%s (%zu, %zu, %zu)\n", what, first, second, third);
    exit(1);
}

uint32_t next_random(void) {
    static uint64_t state = 1;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33);
}

// MARK: cases

enum { row_count = 37, query_count = 13 };

typedef struct planes {
    size_t length, width, stride;
    guarded high, low, queries, scratch;
    // Of the high plane with each query, and of both planes, as batch_dots writes them.
    int32_t *coarse, *fine;
} planes;

// The other two are the largest codes and the smallest, with queries of the largest magnitude.
typedef enum content { random_content, largest_content, smallest_content, contents } content;

static void fill_plane(uint8_t *plane, size_t width, size_t length, content kind) {
    for (size_t i = 0; i < row_count * width; i++) {
        plane[i] = kind == random_content ? (uint8_t)next_random() : kind == largest_content ? 0xFF : 0;
        // The upper half of the last byte has no component when the length is odd.
        if (length % 2 && i % width == width - 1) { plane[i] &= 15; }
    }
}

static int32_t plain_dot(const planes *p, const uint8_t *plane, size_t row, size_t query) {
    const int8_t *codes = (const int8_t *)p->queries.bytes + query * p->stride;
    const uint8_t *bytes = plane + row * p->width;
    int32_t sum = 0;
    for (size_t c = 0; c < p->length; c++) {
        int is_upper = c >= p->width;
        size_t j = is_upper ? c - p->width : c;
        sum += (is_upper ? bytes[j] >> 4 : bytes[j] & 15) * codes[is_upper ? p->stride / 2 + j : j];
    }
    return sum;
}

static planes make_planes(size_t length, placement place, content kind) {
    planes p = {.length = length, .width = (length + 1) / 2};
    p.stride = 2 * nexus_index_query_part(p.width);
    p.high = guarded_bytes(row_count * p.width, place);
    p.low = guarded_bytes(row_count * p.width, place);
    p.queries = guarded_bytes(query_count * p.stride, place);
    p.scratch = guarded_bytes(nexus_index_scratch_size(p.width), place);
    fill_plane(p.high.bytes, p.width, length, kind);
    fill_plane(p.low.bytes, p.width, length, kind);
    for (size_t q = 0; q < query_count; q++) {
        int8_t *codes = (int8_t *)p.queries.bytes + q * p.stride;
        for (size_t c = 0; c < length; c++) {
            int32_t code = kind == random_content ? (int32_t)(next_random() % 256) - 128 : q % 2 ? 127 : -128;
            codes[c < p.width ? c : p.stride / 2 + c - p.width] = (int8_t)code;
        }
    }
    p.coarse = malloc(sizeof(int32_t) * row_count * query_count);
    p.fine = malloc(sizeof(int32_t) * row_count * query_count);
    if (p.coarse == NULL || p.fine == NULL) { fail("no memory", length, 0, 0); }
    for (size_t i = 0; i < row_count * query_count; i++) {
        p.coarse[i] = plain_dot(&p, p.high.bytes, i % row_count, i / row_count);
        p.fine[i] = 16 * p.coarse[i] + plain_dot(&p, p.low.bytes, i % row_count, i / row_count);
    }
    return p;
}

static void release_planes(planes p) {
    release(p.high);
    release(p.low);
    release(p.queries);
    release(p.scratch);
    free(p.coarse);
    free(p.fine);
}

// MARK: tests

static const size_t lengths[] = {1,    2,    3,    17,   31,   32,   33,   63,   64,   65,    100,
                                 384,  768,  1000, 1024, 1536, 3072, 4096, 16384};
static const size_t row_counts[] = {1, 2, 3, 4, 5, 7, 8, 11, 37};
static const size_t query_counts[] = {1, 2, 3, 4, 5, 13};

#define COUNT(array) (sizeof(array) / sizeof *(array))

// The last rows of the high plane, last one first or ascending, so that the plane's last byte is always read.
static void test_row_dots(const nexus_index_kernels *kernels, const planes *p, size_t count, size_t ahead,
                          size_t query, int reversed) {
    guarded out = guarded_bytes(count * sizeof(int32_t), at_end);
    guarded addresses = guarded_bytes((count + ahead) * sizeof(uint8_t *), at_end);
    const uint8_t **rows = (const uint8_t **)addresses.bytes;
    size_t first = row_count - count;
    for (size_t i = 0; i < count + ahead; i++) {
        size_t row = i < count ? (reversed ? row_count - 1 - i : first + i) : i - count;
        rows[i] = p->high.bytes + row * p->width;
    }
    kernels->row_dots((int32_t *)out.bytes, rows, count, count + ahead, p->width,
                      (const int8_t *)p->queries.bytes + query * p->stride);
    for (size_t i = 0; i < count; i++) {
        size_t row = reversed ? row_count - 1 - i : first + i;
        int32_t product = ((int32_t *)out.bytes)[i];
        if (product != p->coarse[query * row_count + row]) {
            fail("row_dots: length, rows, row", p->length, count, row);
        }
    }
    release(addresses);
    release(out);
}

static void test_batch_dots(const nexus_index_kernels *kernels, const planes *p, size_t count, size_t queries) {
    guarded out = guarded_bytes(count * queries * sizeof(int32_t), at_end);
    // The last rows and queries, which end where their memory does.
    size_t row = row_count - count, query = query_count - queries;
    kernels->batch_dots((int32_t *)out.bytes, p->high.bytes + row * p->width, p->low.bytes + row * p->width, p->width,
                        count, (const int8_t *)p->queries.bytes + query * p->stride, queries, p->scratch.bytes);
    for (size_t i = 0; i < count * queries; i++) {
        int32_t expected = p->fine[(query + i / count) * row_count + row + i % count];
        if (((int32_t *)out.bytes)[i] != expected) {
            fail("batch_dots: length, rows, queries", p->length, count, queries);
        }
    }
    release(out);
}

static size_t test_set(const nexus_index_kernels *kernels, const planes *p) {
    size_t done = 0;
    for (size_t r = 0; r < COUNT(row_counts); r++) {
        for (size_t q = 0; q < 2; q++) {
            test_row_dots(kernels, p, row_counts[r], 0, q, 0);
            test_row_dots(kernels, p, row_counts[r], row_count, query_count - 1 - q, 1);
            done += 2;
        }
        for (size_t q = 0; q < COUNT(query_counts); q++, done++) {
            test_batch_dots(kernels, p, row_counts[r], query_counts[q]);
        }
    }
    return done;
}

int main(int argument_count, char **arguments) {
    if (argument_count != 2) { fail("usage: index_test BEST", 0, 0, 0); }
    size_t best = (size_t)atoi(arguments[1]), done[8] = {0};
    if (best >= COUNT(done)) { fail("no such set", best, 0, 0); }
    const nexus_index_kernels *expected = nexus_index_kernels_for((nexus_index_set)best);
    if (expected == NULL || nexus_best_index_kernels() != expected) { fail("another set is the best", best, 0, 0); }
    for (size_t l = 0; l < COUNT(lengths); l++) {
        for (int variant = 0; variant < placements * contents; variant++) {
            planes p = make_planes(lengths[l], variant % placements, variant / placements);
            for (size_t set = 0; set <= best; set++) {
                done[set] += test_set(nexus_index_kernels_for((nexus_index_set)set), &p);
            }
            release_planes(p);
        }
    }
    for (size_t set = 0; set <= best; set++) { printf("index, set %zu: %zu cases equal\n", set, done[set]); }
    test_bit_kernels(best);
    test_float_kernels();
    return 0;
}
