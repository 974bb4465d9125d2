// XXH64, written from its specification; see checksum.h.
#include "include/checksum.h"

#include <string.h>

static const uint64_t prime1 = 0x9E3779B185EBCA87u;
static const uint64_t prime2 = 0xC2B2AE3D27D4EB4Fu;
static const uint64_t prime3 = 0x165667B19E3779F9u;
static const uint64_t prime4 = 0x85EBCA77C2B2AE63u;
static const uint64_t prime5 = 0x27D4EB2F165667C5u;

static inline uint64_t rotated(uint64_t value, int bits) { return (value << bits) | (value >> (64 - bits)); }

static inline uint64_t word8(const uint8_t *bytes) {
    uint64_t value;
    memcpy(&value, bytes, 8);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    value = __builtin_bswap64(value);
#endif
    return value;
}

static inline uint32_t word4(const uint8_t *bytes) {
    uint32_t value;
    memcpy(&value, bytes, 4);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    value = __builtin_bswap32(value);
#endif
    return value;
}

static inline uint64_t added(uint64_t sum, uint64_t lane) { return rotated(sum + lane * prime2, 31) * prime1; }

static inline uint64_t merged(uint64_t sum, uint64_t lane) { return (sum ^ added(0, lane)) * prime1 + prime4; }

static uint64_t sum_of_stripes(const uint8_t *bytes, size_t stripes) {
    uint64_t sum1 = prime1 + prime2, sum2 = prime2, sum3 = 0, sum4 = 0 - prime1;
    for (size_t i = 0; i < stripes; i++) {
        sum1 = added(sum1, word8(bytes + 32 * i));
        sum2 = added(sum2, word8(bytes + 32 * i + 8));
        sum3 = added(sum3, word8(bytes + 32 * i + 16));
        sum4 = added(sum4, word8(bytes + 32 * i + 24));
    }
    uint64_t sum = rotated(sum1, 1) + rotated(sum2, 7) + rotated(sum3, 12) + rotated(sum4, 18);
    return merged(merged(merged(merged(sum, sum1), sum2), sum3), sum4);
}

uint64_t nexus_checksum(const void *start, size_t count) {
    const uint8_t *bytes = start;
    size_t stripes = count / 32, left = count % 32;
    uint64_t sum = stripes > 0 ? sum_of_stripes(bytes, stripes) : prime5;
    sum += count;
    bytes += 32 * stripes;
    for (; left >= 8; bytes += 8, left -= 8) { sum = rotated(sum ^ added(0, word8(bytes)), 27) * prime1 + prime4; }
    if (left >= 4) {
        sum = rotated(sum ^ word4(bytes) * prime1, 23) * prime2 + prime3;
        bytes += 4;
        left -= 4;
    }
    for (; left > 0; bytes++, left--) { sum = rotated(sum ^ *bytes * prime5, 11) * prime1; }
    sum = (sum ^ (sum >> 33)) * prime2;
    sum = (sum ^ (sum >> 29)) * prime3;
    return sum ^ (sum >> 32);
}
