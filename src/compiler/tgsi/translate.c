/* SPDX-License-Identifier: MIT */
/* Entry of the front end: TGSI tokens to IR. */
#include "tr.h"

static bool
stage_of(unsigned processor, enum tgsiamd_stage *stage)
{
   switch (processor) {
   case PIPE_SHADER_VERTEX:
      *stage = TGSIAMD_VS;
      return true;
   case PIPE_SHADER_FRAGMENT:
      *stage = TGSIAMD_PS;
      return true;
   case PIPE_SHADER_COMPUTE:
      *stage = TGSIAMD_CS;
      return true;
   default:
      return false;
   }
}

struct ir_shader *
tgsi_to_ir(enum tgsiamd_gfx gfx, const struct tgsi_token *tokens,
           const struct tgsiamd_key *key, uint32_t options)
{
   char why[256];
   enum tgsiamd_stage stage = TGSIAMD_VS;
   const bool well_formed = tgsiamd_tgsi_check(tokens, why, sizeof(why));
   const unsigned processor = well_formed ? tgsi_get_processor_type(tokens) : 0;
   const bool known_stage = well_formed && stage_of(processor, &stage);

   struct ir_shader *sh = ir_shader_create(stage, gfx, key, options);
   if (!sh)
      return NULL;
   if (!well_formed) {
      ir_error(sh, "malformed TGSI: %s", why);
      return sh;
   }
   if (!known_stage) {
      ir_error(sh, "TGSI: a %s is not supported", tgsi_get_processor_name(processor));
      return sh;
   }

   struct tr *t = ir_alloc(sh, sizeof(*t));
   t->sh = sh;
   t->scan = ir_alloc(sh, sizeof(*t->scan));
   if (!tr_scan_tokens(t, tokens))
      return sh;
   tr_scan_info(t);
   ir_builder_init(&t->b, sh);
   tr_regs_init(t);
   if (!sh->error)
      tr_io_init(t);
   if (!sh->error)
      tr_body(t, 0, false);
   if (sh->error)
      return sh;

   t->inst = NULL;
   tr_outputs_flush(t);
   if (!sh->error)
      ir_builder_finish(&t->b);
   return sh;
}
