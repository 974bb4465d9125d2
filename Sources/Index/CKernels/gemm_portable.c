// Linear maps with vectors of 4 floats: SSE2 on x86-64, NEON on arm64, plain code elsewhere.
#define LANES 4
#define ROWS 4
#define TABLE nexus_gemm_kernels_portable
#include "gemm_template.h"
