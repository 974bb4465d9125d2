// Weights that are smaller than a float: of 16 bits, and of 4 bits in blocks with one scale, the format that llama.cpp
// calls Q4_0. The bytes need no alignment.
#ifndef NEXUS_QUANTIZED_KERNELS_H
#define NEXUS_QUANTIZED_KERNELS_H

#include <stddef.h>

#pragma clang assume_nonnull begin

enum {
    /// The weights of a block.
    nexus_q4_block = 32,
    /// The bytes of a block: a scale d as a 16-bit float, little-endian, then 16 bytes. Byte i holds the weights i (its
    /// low half) and i + 16 (its high half); a half q stands for (q - 8) · d.
    nexus_q4_block_bytes = 18,
};

/// Writes the weights of `blocks` blocks that follow each other, 32 floats for each.
void nexus_q4_dequantize(float *out, const void *bytes, size_t blocks);

/// Writes 16-bit floats (IEEE 754 binary16, little-endian) as floats.
void nexus_widen_halves(float *out, const void *bytes, size_t count);

/// Writes bfloat16 numbers (the upper half of a float, little-endian) as floats.
void nexus_widen_brain_floats(float *out, const void *bytes, size_t count);

#pragma clang assume_nonnull end

#endif
