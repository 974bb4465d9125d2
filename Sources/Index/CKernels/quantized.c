#include <stdint.h>
#include <string.h>

#include "CKernels.h"

// The value of a 16-bit float. The bits of exponent and fraction move to those of a 32-bit float, which makes the number
// 2^112 times too small, and zero and subnormal numbers right as well.
static float value_of_half(uint16_t half) {
    uint32_t magnitude = (uint32_t)(half & 0x7FFF) << 13, sign = (uint32_t)(half & 0x8000) << 16;
    if ((half & 0x7C00) == 0x7C00) {
        magnitude |= 0x7F800000;
    } else {
        float wide;
        memcpy(&wide, &magnitude, sizeof wide);
        wide *= 0x1p112f;
        memcpy(&magnitude, &wide, sizeof wide);
    }
    uint32_t bits = magnitude | sign;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

void nexus_q4_dequantize(float *out, const void *bytes, size_t blocks) {
    const uint8_t *block = bytes;
    for (size_t b = 0; b < blocks; b++, block += nexus_q4_block_bytes, out += nexus_q4_block) {
        float scale = value_of_half((uint16_t)(block[0] | block[1] << 8));
        for (size_t i = 0; i < nexus_q4_block / 2; i++) {
            int pair = block[2 + i];
            out[i] = (float)((pair & 15) - 8) * scale;
            out[i + nexus_q4_block / 2] = (float)((pair >> 4) - 8) * scale;
        }
    }
}

void nexus_widen_halves(float *out, const void *bytes, size_t count) {
    const uint8_t *half = bytes;
    for (size_t i = 0; i < count; i++, half += 2) { out[i] = value_of_half((uint16_t)(half[0] | half[1] << 8)); }
}

void nexus_widen_brain_floats(float *out, const void *bytes, size_t count) {
    const uint8_t *half = bytes;
    for (size_t i = 0; i < count; i++, half += 2) {
        uint32_t bits = (uint32_t)(half[0] | half[1] << 8) << 16;
        memcpy(out + i, &bits, sizeof bits);
    }
}
