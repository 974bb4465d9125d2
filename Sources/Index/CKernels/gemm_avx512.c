// Linear maps for processors with AVX-512 (foundation only).
#if defined(__x86_64__)
#pragma clang attribute push(__attribute__((target("avx512f,avx2,fma"))), apply_to = function)
#define LANES 16
#define ROWS 14
#define TABLE nexus_gemm_kernels_avx512
#include "gemm_template.h"
#pragma clang attribute pop
#endif
