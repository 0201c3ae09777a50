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
   case PIPE_SHADER_GEOMETRY:
      *stage = TGSIAMD_GS;
      return true;
   case PIPE_SHADER_COMPUTE:
      *stage = TGSIAMD_CS;
      return true;
   default:
      return false;
   }
}

bool
tr_check_tokens(struct ir_shader *sh, const struct tgsi_token *tokens, enum tgsiamd_stage *stage)
{
   char why[256];

   if (!tgsiamd_tgsi_check(tokens, why, sizeof(why))) {
      ir_error(sh, "malformed TGSI: %s", why);
      return false;
   }
   const unsigned processor = tgsi_get_processor_type(tokens);
   if (!stage_of(processor, stage)) {
      ir_error(sh, "TGSI: a %s is not supported", tgsi_get_processor_name(processor));
      return false;
   }
   return true;
}

struct ir_shader *
tgsi_to_ir(enum tgsiamd_gfx gfx, const struct tgsi_token *tokens,
           const struct tgsiamd_key *key, uint32_t options)
{
   struct ir_shader *sh = ir_shader_create(TGSIAMD_VS, gfx, key, options);
   if (!sh)
      return NULL;
   if (!tr_check_tokens(sh, tokens, &sh->stage))
      return sh;
   if (sh->stage == TGSIAMD_GS) {
      ir_error(sh, "TGSI: a geometry shader is only compiled together with a vertex shader");
      return sh;
   }

   struct tr *t = ir_alloc(sh, sizeof(*t));
   t->sh = sh;
   t->stage = sh->stage;
   t->scan = ir_alloc(sh, sizeof(*t->scan));
   if (!tr_scan_tokens(t, tokens))
      return sh;
   tr_scan_info(t);
   sh->scratch_dwords = key->cs.private_bytes / 4; /* PRIVATE memory lies in front of arrays */
   ir_builder_init(&t->b, sh);
   ir_builder_remember(&t->b);
   tr_regs_init(t);
   if (!sh->error)
      tr_io_init(t);
   if (!sh->error)
      tr_body(t, 0, false);
   if (sh->error)
      return sh;

   t->inst = NULL;
   sh->origins_end = sh->num_ids;
   tr_outputs_flush(t);
   if (!sh->error)
      ir_builder_finish(&t->b);
   return sh;
}
