// Chooses kernels by processor. An explicit table instead of `target_clones`: that needs ifunc, which neither
// musl (the static Linux SDK) nor macOS has, and whose resolvers run before a sanitizer's runtime is ready.
#include "encoder_variants.h"

size_t nexus_attention_scratch_count(size_t tokens, size_t head) {
    size_t padded = (tokens + nexus_pad - 1) / nexus_pad * nexus_pad;
    return padded * (head + nexus_row_block);
}

#if defined(__x86_64__)

nexus_instruction_set nexus_best_instruction_set(void) {
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) {
        return nexus_instruction_set_portable;
    }
    return __builtin_cpu_supports("avx512f") ? nexus_instruction_set_avx512 : nexus_instruction_set_avx2;
}

const nexus_encoder_kernels *nexus_encoder_kernels_for(nexus_instruction_set set) {
    if (set > nexus_best_instruction_set()) { return NULL; }
    switch (set) {
    case nexus_instruction_set_avx512: return &nexus_encoder_kernels_avx512;
    case nexus_instruction_set_avx2: return &nexus_encoder_kernels_avx2;
    case nexus_instruction_set_portable: return &nexus_encoder_kernels_portable;
    }
    return NULL;
}

#else

nexus_instruction_set nexus_best_instruction_set(void) { return nexus_instruction_set_portable; }

const nexus_encoder_kernels *nexus_encoder_kernels_for(nexus_instruction_set set) {
    return set == nexus_instruction_set_portable ? &nexus_encoder_kernels_portable : NULL;
}

#endif

const nexus_encoder_kernels *nexus_best_encoder_kernels(void) {
    const nexus_encoder_kernels *best = nexus_encoder_kernels_for(nexus_best_instruction_set());
    return best != NULL ? best : &nexus_encoder_kernels_portable;
}
