// The kernels of the compact form in plain C, the reference that the others are tested against, and what needs no
// instruction set.
#include "bit_shared.h"

size_t nexus_bit_query_size(size_t width) { return nexus_bit_stride(width); }

size_t nexus_bit_scratch_size(size_t width) { return nexus_panel_rows * 8 * width + nexus_bit_unit; }

void nexus_bit_dots_portable(int32_t *out, const uint8_t *bits, size_t width, size_t rows, const uint8_t *query) {
    const uint8_t *planes = nexus_bit_plane_start(query);
    for (size_t i = 0; i < rows; i++) {
        int32_t sum = -nexus_bit_shift(query);
        for (size_t j = 0; j < width; j += sizeof(uint64_t)) {
            uint64_t word, plane;
            memcpy(&word, bits + i * width + j, sizeof word);
            for (int b = 0; b < nexus_bit_planes; b++) {
                memcpy(&plane, planes + (size_t)b * nexus_bit_plane(width) + j, sizeof plane);
                sum += __builtin_popcountll(word ^ plane) << b;
            }
        }
        out[i] = sum;
    }
}
