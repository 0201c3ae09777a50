/* SPDX-License-Identifier: MIT */
/* Memory opcodes where the operand is an image; buffer.c sends them here. */
#ifndef TGSIAMD_TGSI_IMAGE_H
#define TGSIAMD_TGSI_IMAGE_H

#include "tr.h"

/* The current instruction on an image: its result goes to the destination. A
 * bad operand is the shader's error. */
void image_load(struct tr *t);
void image_store(struct tr *t);
/* `compare` only for CMPSWAP, else NULL. */
void image_atomic(struct tr *t, enum ir_atomic op, ir_val data, ir_val compare);
/* RESQ. */
void image_size(struct tr *t);

#endif
