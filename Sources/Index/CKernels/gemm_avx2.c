// Linear maps for processors with AVX2 and FMA.
#if defined(__x86_64__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#define LANES 8
#define ROWS 6
#define TABLE nexus_gemm_kernels_avx2
#include "gemm_template.h"
#pragma clang attribute pop
#endif
