/* SPDX-License-Identifier: MIT */
/* Memory opcodes where the operand is an image; buffer.c sends them here. */
#ifndef TGSIAMD_TGSI_IMAGE_H
#define TGSIAMD_TGSI_IMAGE_H

#include "tr.h"

void image_load(struct tr *t);
void image_store(struct tr *t);
void image_atomic(struct tr *t, enum ir_atomic op, ir_val data, ir_val compare);
void image_size(struct tr *t);

#endif
