// Memory between two pages that nobody may touch: an access before its start or past its end ends the program.
#ifndef GUARDED_H
#define GUARDED_H

#include <stddef.h>
#include <stdint.h>

typedef struct guarded {
    uint8_t *mapping, *bytes;
    size_t mapped;
} guarded;

// Where `bytes` lie: with their last one before the page behind, with the first one after the page before, or one byte
// after that, at an odd address.
typedef enum placement { at_end, at_start, misaligned, placements } placement;

guarded guarded_bytes(size_t count, placement place);
void release(guarded memory);

// Ends the program with a message.
void fail(const char *what, size_t first, size_t second, size_t third) __attribute__((noreturn));

// The next number of a fixed sequence.
uint32_t next_random(void);

// The kernels of the compact form for the sets up to the best one.
void test_bit_kernels(size_t best);

// The other kernels, compared with plain loops in double precision.
void test_float_kernels(void);

#endif
