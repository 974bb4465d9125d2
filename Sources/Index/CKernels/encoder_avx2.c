// The encoder's kernels for processors with AVX2 and FMA.
#if defined(__x86_64__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#define LANES 8
#define ROWS 2
#define TABLE nexus_encoder_kernels_avx2
#include "encoder_kernels.h"
#pragma clang attribute pop
#endif
