/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <xmmintrin.h>

#include "tgsi/tgsi_exec.h"
#include "tgsi/tgsi_parse.h"
#include "tgsi/tgsi_text.h"
#include "ir_interp.h"
#include "harness.h"
#include "translate_text.h"

#define MAX_TOKENS 400000

bool harness_keep_denormals;

/* The GPU flushes 32-bit denormals; let the reference do it too. */
static unsigned
set_flush_denormals(void)
{
   unsigned csr = _mm_getcsr();
   _mm_setcsr(csr | (harness_keep_denormals ? 0 : 0x8040));
   return csr;
}

/* The interpreter skips a branch that no lane takes by its label, which the
 * text does not give: IF to its ELSE or ENDIF, ELSE to its ENDIF. */
static void
set_labels(struct tgsi_exec_machine *m)
{
   unsigned open[64], depth = 0;

   for (unsigned i = 0; i < m->NumInstructions; i++) {
      switch (m->Instructions[i].Instruction.Opcode) {
      case TGSI_OPCODE_IF:
      case TGSI_OPCODE_UIF:
         open[depth++] = i;
         break;
      case TGSI_OPCODE_ELSE:
         m->Instructions[open[depth - 1]].Label.Label = i;
         open[depth - 1] = i;
         break;
      case TGSI_OPCODE_ENDIF:
         m->Instructions[open[--depth]].Label.Label = i;
         break;
      }
   }
}

/* The interpreter stores to an element of an array by the first lane's index. */
static bool
stores_by_index(const struct tgsi_exec_machine *m)
{
   for (unsigned i = 0; i < m->NumInstructions; i++) {
      for (unsigned n = 0; n < m->Instructions[i].Instruction.NumDstRegs; n++) {
         if (m->Instructions[i].Dst[n].Register.Indirect)
            return true;
      }
   }
   return false;
}

/* lane: that all lanes are; -1: each is its own. */
static void
run_reference(struct tgsi_exec_machine *m, struct harness_data *data, int lane)
{
   static const uint8_t semantics[] = {
      TGSI_SEMANTIC_VERTEXID, TGSI_SEMANTIC_INSTANCEID, TGSI_SEMANTIC_BASEVERTEX,
   };

   /* Nobody wrote it: 0. */
   memset(m->Temps, 0, sizeof(m->Temps));
   memset(m->Addrs, 0, sizeof(m->Addrs));
   m->LoopLabelStackTop = 0; /* returns out of loops leave something there */
   memset(m->Outputs, 0, HARNESS_OUTPUTS * sizeof(m->Outputs[0]));
   for (unsigned l = 0; l < HARNESS_LANES; l++) {
      const unsigned from = lane < 0 ? l : (unsigned)lane;
      for (unsigned i = 0; i < HARNESS_INPUTS * 4; i++)
         m->Inputs[i / 4].xyzw[i % 4].u[l] = data->in[i / 4][i % 4][from];
      for (unsigned i = 0; i < ARRAY_SIZE(semantics); i++) {
         const int sv = m->SysSemanticToIndex[semantics[i]];
         if (sv >= 0) {
            m->SystemValue[sv].xyzw[0].u[l] = i == 0   ? data->vertex_id[from] + data->base_vertex
                                              : i == 1 ? data->instance_id
                                                       : data->base_vertex;
         }
      }
   }
   m->NonHelperMask = 0xf;
   unsigned csr = set_flush_denormals();
   tgsi_exec_machine_run(m, 0);
   _mm_setcsr(csr);
   for (unsigned i = 0; i < HARNESS_OUTPUTS * 4; i++) {
      for (unsigned l = 0; l < HARNESS_LANES; l++) {
         if (lane < 0 || l == (unsigned)lane)
            data->out[i / 4][i % 4][l] = m->Outputs[i / 4].xyzw[i % 4].u[l];
      }
   }
}

bool
harness_reference(const char *text, struct harness_data *data, char *why, unsigned why_size)
{
   struct tgsi_token *tokens = calloc(MAX_TOKENS, sizeof(*tokens));
   const void *bufs[2] = { data->consts[0], data->consts[1] };
   const unsigned sizes[2] = { sizeof(data->consts[0]), sizeof(data->consts[1]) };

   if (!tgsi_text_translate(text, tokens, MAX_TOKENS)) {
      snprintf(why, why_size, "the text does not parse");
      free(tokens);
      return false;
   }
   struct tgsi_exec_machine *m = tgsi_exec_machine_create(PIPE_SHADER_VERTEX);
   tgsi_exec_machine_bind_shader(m, tokens, NULL, NULL, NULL);
   set_labels(m);
   tgsi_exec_set_constant_buffers(m, 2, bufs, sizes);
   memset(data->out_mask, 0, sizeof(data->out_mask));
   for (unsigned i = 0; i < m->NumInstructions; i++) {
      const struct tgsi_full_dst_register *dst = &m->Instructions[i].Dst[0];
      if (m->Instructions[i].Instruction.NumDstRegs && dst->Register.File == TGSI_FILE_OUTPUT &&
          !dst->Register.Indirect && dst->Register.Index < HARNESS_OUTPUTS)
         data->out_mask[dst->Register.Index] |= dst->Register.WriteMask;
   }
   const bool by_lane = data->by_lane || stores_by_index(m);
   for (int lane = by_lane ? 0 : -1; lane < (by_lane ? HARNESS_LANES : 0); lane++)
      run_reference(m, data, lane);
   tgsi_exec_machine_destroy(m);
   free(tokens);
   return true;
}

static void
fill_env(struct interp_env *env, const struct harness_data *data, unsigned lane)
{
   memset(env, 0, sizeof(*env));
   for (unsigned i = 0; i < HARNESS_INPUTS; i++) {
      for (unsigned c = 0; c < 4; c++)
         env->attribs[i][c] = data->in[i][c][lane];
   }
   for (unsigned i = 0; i < 2; i++) {
      env->consts[i] = data->consts[i][0];
      env->const_dwords[i] = HARNESS_CONSTS * 4;
   }
   env->sysvals[IR_SV_VERTEX_ID] = data->vertex_id[lane];
   env->sysvals[IR_SV_INSTANCE_ID] = data->instance_id;
   env->sysvals[IR_SV_BASE_VERTEX] = data->base_vertex;
}

static bool
run_ir(const struct ir_shader *sh, struct harness_data *data, char *why, unsigned why_size)
{
   struct interp_env *env = malloc(sizeof(*env));
   bool ok = true;

   for (unsigned lane = 0; lane < HARNESS_LANES && ok; lane++) {
      fill_env(env, data, lane);
      unsigned csr = set_flush_denormals();
      ok = interp_run(sh, env);
      _mm_setcsr(csr);
      if (!ok)
         snprintf(why, why_size, "%s", env->why);
      for (unsigned s = 0; s < sh->num_outputs && ok; s++) {
         unsigned reg = sh->outputs[s].semantic == TGSI_SEMANTIC_POSITION ? 0
                                                                         : sh->outputs[s].index;
         for (unsigned c = 0; c < 4; c++)
            data->out[reg][c][lane] = env->outputs[s][c];
      }
   }
   free(env);
   return ok;
}

void (*harness_patch)(uint32_t *code, unsigned num);

/* What one mode compiled last: rounds of one program differ in data only. */
static struct compiled {
   char *text;
   struct ir_shader *sh;               /* modes up to HARNESS_IR_PASSES */
   struct tgsiamd_shader_binary *bin;  /* the others */
} compiled[HARNESS_MODES];

static bool
front_end(const struct tgsi_token *tokens, bool passes, struct compiled *c, char *why, unsigned why_size)
{
   struct tgsiamd_key key;
   char invalid[256];

   memset(&key, 0, sizeof(key));
   c->sh = tgsi_to_ir(TGSIAMD_GFX9, tokens, &key, 0);
   if (passes && !c->sh->error)
      harness_optimise(c->sh);
   if (c->sh->error)
      snprintf(why, why_size, "%s", c->sh->error);
   else if (!ir_validate(c->sh, invalid, sizeof(invalid)))
      snprintf(why, why_size, "invalid IR: %s", invalid);
   else
      return true;
   return false;
}

static bool
back_end(const struct tgsi_token *tokens, uint32_t options, struct compiled *c, char *why, unsigned why_size)
{
   struct tgsiamd_key key;

   memset(&key, 0, sizeof(key));
   c->bin = tgsiamd_compile(TGSIAMD_GFX9, tokens, &key, TGSIAMD_COMPILE_VALIDATE | options);
   if (c->bin->error)
      snprintf(why, why_size, "%s", c->bin->error);
   else if (harness_patch)
      harness_patch(c->bin->code, c->bin->code_dwords);
   return !c->bin->error;
}

static void
forget(struct compiled *c)
{
   free(c->text);
   if (c->sh)
      ir_shader_destroy(c->sh);
   if (c->bin)
      tgsiamd_shader_binary_free(c->bin);
   memset(c, 0, sizeof(*c));
}

const char *const harness_mode_names[HARNESS_MODES] = {
   "front end", "IR passes", "machine code", "machine code, not optimised",
   "machine code, spilled",
};

static bool
compile(enum harness_mode mode, const char *text, char *why, unsigned why_size)
{
   static const uint32_t options[HARNESS_MODES] = {
      [HARNESS_MACHINE_NO_OPT] = TGSIAMD_COMPILE_NO_OPT,
      [HARNESS_MACHINE_SPILL] = TGSIAMD_COMPILE_SPILL_ALL | TGSIAMD_COMPILE_SHORT_BRANCHES,
   };
   struct compiled *c = &compiled[mode];
   struct tgsi_token *tokens;
   bool ok = false;

   if (c->text && !strcmp(c->text, text) && !harness_patch)
      return true;
   forget(c);
   tokens = calloc(MAX_TOKENS, sizeof(*tokens));
   if (!tgsi_text_translate(text, tokens, MAX_TOKENS))
      snprintf(why, why_size, "the text does not parse");
   else if (mode <= HARNESS_IR_PASSES)
      ok = front_end(tokens, mode == HARNESS_IR_PASSES, c, why, why_size);
   else
      ok = back_end(tokens, options[mode], c, why, why_size);
   if (ok)
      c->text = strdup(text);
   if (ok && c->bin)
      log_opcodes(tokens);
   free(tokens);
   return ok;
}

bool
harness_run(enum harness_mode mode, const char *text, struct harness_data *data, char *why,
            unsigned why_size)
{
   memset(data->out, 0, sizeof(data->out));
   if (!compile(mode, text, why, why_size))
      return false;
   if (compiled[mode].sh)
      return run_ir(compiled[mode].sh, data, why, why_size);
   return harness_machine(compiled[mode].bin, data, why, why_size);
}

static bool
same(uint32_t a, uint32_t b, unsigned ulps, float abs_error)
{
   float fa, fb;

   if (a == b)
      return true;
   if (!ulps)
      return false;
   memcpy(&fa, &a, 4);
   memcpy(&fb, &b, 4);
   if (isnan(fa) || isnan(fb))
      return isnan(fa) && isnan(fb);
   if (fabsf(fa - fb) <= MAX2(abs_error, 0x1p-126f))
      return true;
   if ((a ^ b) >> 31)
      return false;
   uint32_t diff = a > b ? a - b : b - a;
   return diff <= ulps;
}

/* Neighbours and zeros of both signs are the same double. */
static bool
same_double(const uint32_t (*a)[HARNESS_LANES], const uint32_t (*b)[HARNESS_LANES], unsigned l)
{
   const uint64_t x = a[0][l] | (uint64_t)a[1][l] << 32, y = b[0][l] | (uint64_t)b[1][l] << 32;
   double dx, dy;

   memcpy(&dx, &x, 8);
   memcpy(&dy, &y, 8);
   return dx == dy || (isnan(dx) && isnan(dy)) || (x > y ? x - y : y - x) <= 1;
}

static bool
same_channel(const struct harness_data *want, const struct harness_data *got, unsigned i, unsigned c, unsigned l,
             unsigned ulps, float abs_error)
{
   if (want->out_doubles & (1u << i))
      return same_double(&want->out[i][c & 2], &got->out[i][c & 2], l);
   return same(want->out[i][c][l], got->out[i][c][l], ulps, abs_error);
}

unsigned
harness_differences(const struct harness_data *want, const struct harness_data *got, unsigned ulps, float abs_error)
{
   unsigned bad = 0;

   for (unsigned i = 0; i < HARNESS_OUTPUTS; i++) {
      for (unsigned c = 0; c < 4; c++) {
         for (unsigned l = 0; l < HARNESS_LANES && (want->out_mask[i] & (1u << c)); l++)
            bad += !same_channel(want, got, i, c, l, ulps, abs_error);
      }
   }
   return bad;
}

unsigned
harness_compare(const char *name, const char *text, const struct harness_data *want,
                const struct harness_data *got, unsigned ulps, float abs_error)
{
   unsigned bad = 0;

   for (unsigned i = 0; i < HARNESS_OUTPUTS; i++) {
      for (unsigned c = 0; c < 4; c++) {
         for (unsigned l = 0; l < HARNESS_LANES && (want->out_mask[i] & (1u << c)); l++) {
            uint32_t w = want->out[i][c][l], g = got->out[i][c][l];
            if (same_channel(want, got, i, c, l, ulps, abs_error))
               continue;
            if (bad++ == 0)
               printf("%s: differs\n%s", name, text);
            if (bad <= 4) {
               float fw, fg;
               memcpy(&fw, &w, 4);
               memcpy(&fg, &g, 4);
               printf("  OUT[%u].%c lane %u: want 0x%08x (%.9g), got 0x%08x (%.9g)\n", i,
                      "xyzw"[c], l, w, fw, g, fg);
               for (unsigned k = 0; k < 4; k++) {
                  printf("     IN[%u] = 0x%08x 0x%08x 0x%08x 0x%08x\n", k, want->in[k][0][l],
                         want->in[k][1][l], want->in[k][2][l], want->in[k][3][l]);
               }
            }
         }
      }
   }
   return bad;
}
