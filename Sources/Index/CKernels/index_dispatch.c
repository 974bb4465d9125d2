// Chooses the index's kernels by processor; see dispatch.c for why there is a table.
#include "index_shared.h"

#if defined(__linux__) && defined(__x86_64__)
#include <sys/syscall.h>
#include <unistd.h>
#elif defined(__linux__) && defined(__aarch64__)
#include <sys/auxv.h>
#endif

size_t nexus_index_query_part(size_t width) { return nexus_part(width); }

size_t nexus_index_scratch_size(size_t width) { return nexus_panel_rows * 2 * nexus_part(width) + nexus_part_unit; }

#if defined(__x86_64__)

// Asks the kernel for the tile registers, which a process has only after it asked (arch/x86/xstate.rst in the
// kernel's documentation); the leave holds for all threads and cannot be lost, so asking again is harmless.
static int has_tiles(void) {
#if defined(__linux__)
    enum { request_permission = 0x1023, tile_data = 18 };
    return __builtin_cpu_supports("amx-int8") && syscall(SYS_arch_prctl, request_permission, tile_data) == 0;
#else
    return 0;
#endif
}

static int has(nexus_index_set set) {
    __builtin_cpu_init();
    int vnni = __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl")
        && __builtin_cpu_supports("avx512vnni");
    int bitalg = vnni && __builtin_cpu_supports("avx512bitalg");
    switch (set) {
    case nexus_index_set_amx: return bitalg && __builtin_cpu_supports("avx512vbmi") && has_tiles();
    case nexus_index_set_bitalg: return bitalg;
    case nexus_index_set_vnni: return vnni;
    case nexus_index_set_avx2: return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    case nexus_index_set_portable: return 1;
    }
    return 0;
}

const nexus_index_kernels *nexus_index_kernels_for(nexus_index_set set) {
    if (!has(set)) { return NULL; }
    switch (set) {
    case nexus_index_set_amx: return &nexus_index_kernels_amx;
    case nexus_index_set_bitalg: return &nexus_index_kernels_bitalg;
    case nexus_index_set_vnni: return &nexus_index_kernels_vnni;
    case nexus_index_set_avx2: return &nexus_index_kernels_avx2;
    case nexus_index_set_portable: return &nexus_index_kernels_portable;
    }
    return NULL;
}

#elif defined(__aarch64__)

static int has_dot_products(void) {
#if defined(__ARM_FEATURE_DOTPROD)
    return 1;
#elif defined(__linux__)
    enum { dot_products = 1 << 20 };  // HWCAP_ASIMDDP (arch/arm64/elf_hwcaps.rst in the kernel's documentation)
    return (getauxval(AT_HWCAP) & dot_products) != 0;
#else
    return 0;
#endif
}

const nexus_index_kernels *nexus_index_kernels_for(nexus_index_set set) {
    switch (set) {
    case nexus_index_set_neon_dot: return has_dot_products() ? &nexus_index_kernels_neon_dot : NULL;
    case nexus_index_set_neon: return &nexus_index_kernels_neon;
    case nexus_index_set_portable: return &nexus_index_kernels_portable;
    }
    return NULL;
}

#else

const nexus_index_kernels *nexus_index_kernels_for(nexus_index_set set) {
    return set == nexus_index_set_portable ? &nexus_index_kernels_portable : NULL;
}

#endif

const nexus_index_kernels *nexus_best_index_kernels(void) {
#if defined(__aarch64__)
    enum { richest = nexus_index_set_neon_dot };
#else
    enum { richest = nexus_index_set_amx };
#endif
    for (int set = richest; set > nexus_index_set_portable; set--) {
        const nexus_index_kernels *kernels = nexus_index_kernels_for((nexus_index_set)set);
        if (kernels != NULL) { return kernels; }
    }
    return &nexus_index_kernels_portable;
}
