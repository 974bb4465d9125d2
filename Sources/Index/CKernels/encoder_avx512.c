// The encoder's kernels for processors with AVX-512 (foundation only).
#if defined(__x86_64__)
#pragma clang attribute push(__attribute__((target("avx512f,avx2,fma"))), apply_to = function)
#define LANES 16
#define ROWS 8
#define TABLE nexus_encoder_kernels_avx512
#include "encoder_kernels.h"
#pragma clang attribute pop
#endif
