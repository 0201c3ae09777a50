/* SPDX-License-Identifier: MIT */
/* Words of the text form. */
#ifndef TGSIAMD_IR_TEXT_H
#define TGSIAMD_IR_TEXT_H

extern const char *const ir_tex_op_names[5];
extern const char *const ir_tex_dim_names[9];
extern const char *const ir_list_names[8];
extern const char *const ir_stage_names[6];

#endif
