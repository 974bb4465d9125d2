// The encoder's kernels with vectors of 4 floats: SSE2 on x86-64, NEON on arm64, plain code elsewhere.
#define LANES 4
#define ROWS 1
#define TABLE nexus_encoder_kernels_portable
#include "encoder_kernels.h"
