// Chooses the kernels of linear maps by processor, like dispatch.c.
#include "gemm_variants.h"

#if defined(__x86_64__) && defined(__linux__)
#include <cpuid.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

static int may_use_tiles;

// Asks the kernel for the tiles' state, which a process gets only on request and for all of its threads.
static void request_tiles(void) {
    enum { request_permission = 0x1023, tile_data = 18, tile_bits = 1 << 22 | 1 << 24, bfloat16_bit = 1 << 5 };
    unsigned a, b, c, d, more;
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d) || !__get_cpuid_count(7, 1, &more, &b, &c, &a)) { return; }
    if ((d & tile_bits) != tile_bits || !(more & bfloat16_bit) || !__builtin_cpu_supports("avx512bw")) { return; }
    may_use_tiles = syscall(SYS_arch_prctl, request_permission, tile_data) == 0;
}

static int has_tiles(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, request_tiles);
    return may_use_tiles;
}
#endif

size_t nexus_gemm_packed_count(size_t columns, size_t k) { return nexus_gemm_padded(columns) * nexus_gemm_padded(k); }

size_t nexus_gemm_scratch_count(void) { return nexus_gemm_scratch_floats; }

const nexus_gemm_kernels *nexus_gemm_kernels_for(nexus_gemm_variant variant) {
#if defined(__x86_64__)
    nexus_instruction_set best = nexus_best_instruction_set();
#endif
    switch (variant) {
    case nexus_gemm_variant_portable: return &nexus_gemm_kernels_portable;
#if defined(__x86_64__)
    case nexus_gemm_variant_avx2: return best >= nexus_instruction_set_avx2 ? &nexus_gemm_kernels_avx2 : NULL;
    case nexus_gemm_variant_avx512: return best >= nexus_instruction_set_avx512 ? &nexus_gemm_kernels_avx512 : NULL;
#if defined(__linux__)
    case nexus_gemm_variant_amx:
        return best >= nexus_instruction_set_avx512 && has_tiles() ? &nexus_gemm_kernels_amx : NULL;
#endif
#endif
    default: return NULL;
    }
}

const nexus_gemm_kernels *nexus_best_gemm_kernels(void) {
    for (int variant = nexus_gemm_variant_amx; variant > nexus_gemm_variant_portable; variant--) {
        const nexus_gemm_kernels *kernels = nexus_gemm_kernels_for((nexus_gemm_variant)variant);
        if (kernels != NULL) { return kernels; }
    }
    return &nexus_gemm_kernels_portable;
}
