// The tables that dispatch.c chooses from; each is defined by one of the encoder_*.c files.
#ifndef NEXUS_ENCODER_VARIANTS_H
#define NEXUS_ENCODER_VARIANTS_H

#include "CKernels.h"

// Sentences are padded to this many columns in the attention scratch, the widest vector of any variant. A head has as
// many components as the half or the whole of the widest one.
enum { nexus_pad = 16, nexus_half_head = 32, nexus_widest_head = 64, nexus_row_block = 8 };

extern const nexus_encoder_kernels nexus_encoder_kernels_portable;
#if defined(__x86_64__)
extern const nexus_encoder_kernels nexus_encoder_kernels_avx2;
extern const nexus_encoder_kernels nexus_encoder_kernels_avx512;
#endif

#endif
