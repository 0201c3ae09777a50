/* SPDX-License-Identifier: MIT */
/* The pipeline: TGSI to a binary. See compiler.h for what comes out. */
#include <stdlib.h>

#include "tgsi/tgsi_dump.h"
#include "tgsi/check.h"
#include "compile.h"
#include "mir.h"
#include "passes.h"
#include "ra.h"
#include "target.h"

/* Dump under construction, and where the time of the passes goes. */
struct dump {
   struct ir_shader *sh;
   char *text;
   size_t size;
   FILE *file;
   struct tgsiamd_pass_time *times; /* NULL: nobody asks */
   uint64_t since;
};

/* A pass is over: its memory goes, and what passed since the last call was its time. */
static void
ran(struct dump *d, const char *pass)
{
   unsigned i = 0;
   ir_temp_done(d->sh);
   if (!d->times)
      return;
   uint64_t t = compiler_clock();
   while (i < TGSIAMD_MAX_PASS_TIMES - 1 && d->times[i].pass && strcmp(d->times[i].pass, pass))
      i++;
   d->times[i].pass = pass;
   d->times[i].ns += t - d->since;
   d->since = t;
}

static void
dump_ir(struct ir_shader *sh, struct dump *d, const char *title)
{
   if (!(sh->options & TGSIAMD_COMPILE_DUMP_IR) || !d->file)
      return;
   fprintf(d->file, "; --- %s ---\n", title);
   ir_print(sh, d->file);
}

static void
dump_mir(struct mir_program *p, struct dump *d, const char *title)
{
   ran(d, title);
   if (!(p->sh->options & TGSIAMD_COMPILE_DUMP_IR) || !d->file)
      return;
   fprintf(d->file, "; --- %s ---\n", title);
   mir_print(p, d->file);
}

static void
check(struct ir_shader *sh, struct dump *d, const char *title)
{
   char why[256];
   ran(d, title);
   if (!sh->error && (sh->options & TGSIAMD_COMPILE_VALIDATE) && !ir_validate(sh, why, sizeof(why)))
      ir_error(sh, "internal: after %s: %s", title, why);
   dump_ir(sh, d, title);
}

#define MAX_ROUNDS 6

static void
optimise(struct ir_shader *sh, struct dump *d)
{
   if (sh->options & TGSIAMD_COMPILE_NO_OPT) {
      ir_opt_dce(sh);
      return;
   }
   bool branches = true; /* something that algebraic rules do not see has changed */
   for (unsigned i = 0; i < MAX_ROUNDS && !sh->error; i++) {
      bool progress = ir_opt_algebraic(sh);
      check(sh, d, "algebraic");
      if (!progress && !branches)
         break;
      progress |= ir_opt_cse(sh);
      check(sh, d, "cse");
      ir_opt_dce(sh);
      ran(d, "dce");
      branches = ir_opt_cf(sh);
      if (branches) {
         check(sh, d, "control flow");
         ir_opt_dce(sh);
      }
      ran(d, "control flow");
      if (!progress && !branches)
         break;
   }
   ir_renumber(sh); /* tables by value are shorter */
   if (ir_opt_licm(sh))
      check(sh, d, "loop invariants");
   ran(d, "loop invariants");
   if (ir_opt_sink(sh))
      check(sh, d, "sink");
   ran(d, "sink");
   ir_opt_vectorize_loads(sh);
   ran(d, "vectors");
   ir_opt_merge_memory(sh);
   ran(d, "memory");
   ir_opt_dce(sh);
   ran(d, "dce");
   ir_opt_cse(sh);
   ran(d, "cse");
   check(sh, d, "vectors");
}

static void
run_ir_passes(struct ir_shader *sh, struct dump *d)
{
   check(sh, d, "front end");
   if (sh->error)
      return;
   ir_lower_arrays(sh);
   ran(d, "lower_arrays");
   if (sh->error)
      return;
   ir_mem2reg(sh);
   check(sh, d, "mem2reg");
   if (sh->error)
      return;
   ir_lower_io(sh);
   check(sh, d, "lower_io");
   if (sh->error)
      return;
   ir_lower_int(sh);
   check(sh, d, "lower_int");
   ir_opt_dce(sh);
   ran(d, "dce");
   optimise(sh, d);
   if (sh->error)
      return;
   ir_lower_lcssa(sh);
   check(sh, d, "lcssa");
   ir_divergence(sh);
   ran(d, "divergence");
   dump_ir(sh, d, "divergence");
}

static bool
has_divergent_loop(const struct ir_shader *sh)
{
   ir_foreach_block(sh, b) {
      if (b->loop && b->loop->divergent)
         return true;
   }
   return false;
}

static unsigned
round_up(unsigned v, unsigned granule)
{
   return (v + granule - 1) / granule * granule;
}

static void
fill_info(struct ir_shader *sh, struct mir_program *p, struct tgsiamd_shader_binary *bin)
{
   struct tgsiamd_shader_info *info = &sh->info;
   const struct isa_limits *l = isa_limits(sh->gfx);
   unsigned system_sgprs = 0;
   switch (sh->stage) {
   case TGSIAMD_VS: system_sgprs = mir_streamout_sgprs(sh); break;
   case TGSIAMD_PS: system_sgprs = 1; break;
   case TGSIAMD_CS: system_sgprs = 3; break;
   case TGSIAMD_GS: system_sgprs = TGSIAMD_SGPR_MERGED_BASE; break;
   default: break;
   }
   if (p->scratch_dwords && sh->stage != TGSIAMD_GS)
      system_sgprs++;
   info->num_user_sgprs = p->num_user_sgprs;
   unsigned sgprs = p->num_sgprs, vgprs = p->num_vgprs;
   if (sgprs < info->num_user_sgprs + system_sgprs)
      sgprs = info->num_user_sgprs + system_sgprs;
   sgprs += 2; /* VCC */
   if (sh->stage == TGSIAMD_VS && vgprs < info->vgpr_comp_cnt + 1)
      vgprs = info->vgpr_comp_cnt + 1;
   if (sh->stage == TGSIAMD_GS && vgprs < 5 + info->vgpr_comp_cnt + 1)
      vgprs = 5 + info->vgpr_comp_cnt + 1; /* primitive's vertices and numbers, then the vertex' */
   info->num_sgprs = sgprs;
   info->num_vgprs = vgprs ? vgprs : 1;
   info->float_mode = p->target->float_mode;
   info->dx10_clamp = true;
   info->scratch_bytes_per_wave = round_up(p->scratch_dwords * 4 * 64, 1024);
   unsigned waves = l->max_waves_per_simd;
   if (l->phys_vgprs_per_simd && l->phys_vgprs_per_simd / round_up(info->num_vgprs, l->vgpr_granule) < waves)
      waves = l->phys_vgprs_per_simd / round_up(info->num_vgprs, l->vgpr_granule);
   if (l->phys_sgprs_per_simd && l->phys_sgprs_per_simd / round_up(info->num_sgprs, l->sgpr_granule) < waves)
      waves = l->phys_sgprs_per_simd / round_up(info->num_sgprs, l->sgpr_granule);
   p->stats.max_waves = waves;
   p->stats.divergent_loop = has_divergent_loop(sh);
   bin->info = *info;
   bin->stats = p->stats;
}

static void
dump_asm(const struct mir_program *p, const struct tgsiamd_shader_binary *bin, FILE *out)
{
   const enum tgsiamd_gfx gfx = p->sh->gfx;
   const uint32_t end = p->stats.code_bytes / 4, num_table = p->table.desc ? p->sh->num_table : 0;
   for (uint32_t at = 0; at < end;) {
      struct isa_inst inst;
      char text[200];
      unsigned n = isa_decode(gfx, bin->code + at, end - at, &inst);
      if (n)
         isa_print(gfx, &inst, text, sizeof(text));
      fprintf(out, "%5x: %s\n", at * 4, n ? text : "(bad)");
      at += n ? n : 1;
   }
   for (uint32_t at = bin->code_dwords - num_table; at < bin->code_dwords; at++)
      fprintf(out, "%5x: .long 0x%x\n", at * 4, bin->code[at]);
}

static bool
has_scratch_for(struct mir_program *p, const char *what)
{
   const unsigned max = p->target->max_scratch_dwords;
   if (p->scratch_dwords > max)
      ir_error_need(p->sh, "%s of %u bytes a lane do not fit into the %u bytes of scratch memory that there are", what,
                    p->scratch_dwords * 4, max * 4);
   return !p->sh->error;
}

/* Register assignment with spilling: every round either succeeds, makes lives
 * shorter, or finds nothing more to spill. */
static bool
allocate(struct mir_program *p, struct dump *d)
{
   unsigned rounds[2] = { 0, 0 }; /* by file */
   struct ra_failure failure = { 0 };
   if ((p->sh->options & TGSIAMD_COMPILE_SPILL_ALL) && !ra_spill_all(p))
      return false;
   if (p->sh->options & TGSIAMD_COMPILE_SPILL_ALL)
      dump_mir(p, d, "spilled");
   else if (!(p->sh->options & TGSIAMD_COMPILE_NO_OPT))
      ra_gain_wave(p);
   ran(d, "ra_gain_wave");
   while (has_scratch_for(p, "arrays and spilled registers")) {
      bool ok = ra_assign(p, &failure);
      ran(d, "ra_assign");
      if (ok)
         return true;
      if (!p->sh->error && !ra_spill(p, &failure, &rounds[p->units[failure.first].file]))
         break;
      ran(d, "ra_spill");
      dump_mir(p, d, "spilled");
   }
   const struct mir_unit *u = &p->units[failure.first];
   if (!p->sh->error)
      ir_error_need(p->sh, "more than %u %s are needed at once, and nothing is left to spill", ra_limit(p, u->file),
                    u->file == MIR_SGPR ? "SGPRs" : "VGPRs");
   return false;
}

static void
compile_ir(struct ir_shader *sh, struct tgsiamd_shader_binary *bin, struct dump *d)
{
   run_ir_passes(sh, d);
   if (sh->error)
      return;
   struct mir_program *p = isel(sh);
   if (sh->error || !has_scratch_for(p, "arrays"))
      return;
   ran(d, "isel");
   dump_mir(p, d, "selected");
   mir_opt_dce(p);
   mir_fit_user_sgprs(p);
   ran(d, "mir_dce");
   if (!(sh->options & TGSIAMD_COMPILE_NO_OPT))
      mir_merge_descriptors(p);
   ran(d, "mir_merge");
   if (!(sh->options & (TGSIAMD_COMPILE_NO_SCHED | TGSIAMD_COMPILE_NO_OPT)))
      sched_list(p);
   ran(d, "sched_list");
   ra_coalesce(p);
   ran(d, "ra_coalesce");
   dump_mir(p, d, "coalesced");
   if (sh->error || !allocate(p, d))
      return;
   post_ra(p);
   ran(d, "post_ra");
   dump_mir(p, d, "allocated");
   wait_insert(p);
   ran(d, "wait_insert");
   hazard_insert(p);
   ran(d, "hazard_insert");
   if (sh->error)
      return;
   bin->code = encode_program(p, &bin->code_dwords);
   ran(d, "encode");
   if (!bin->code)
      return;
   fill_info(sh, p, bin);
   if ((sh->options & TGSIAMD_COMPILE_DUMP_ASM) && d->file)
      dump_asm(p, bin, d->file);
}

/* `since`: when the front end began. */
static struct tgsiamd_shader_binary *
compile_timed(struct ir_shader *sh, uint64_t since)
{
   struct tgsiamd_shader_binary *bin = calloc(1, sizeof(*bin));
   struct dump d = { .sh = sh, .since = since };
   if (!bin) {
      ir_shader_destroy(sh);
      return NULL;
   }
   if (sh->options & TGSIAMD_COMPILE_TIMES)
      d.times = bin->times = calloc(TGSIAMD_MAX_PASS_TIMES, sizeof(*d.times));
   if (sh->options & (TGSIAMD_COMPILE_DUMP_IR | TGSIAMD_COMPILE_DUMP_ASM))
      d.file = open_memstream(&d.text, &d.size);
   if (!compiler_target(sh->gfx))
      ir_error(sh, "the compiler has no target %s", tgsiamd_gfx_llvm_name(sh->gfx));
   if (!sh->error)
      compile_ir(sh, bin, &d);
   if (d.file)
      fclose(d.file);
   bin->dump = d.text;
   if (sh->error) {
      free(bin->code);
      bin->code = NULL;
      bin->code_dwords = 0;
      bin->error = strdup(sh->error);
   }
   ir_shader_destroy(sh);
   return bin;
}

struct tgsiamd_shader_binary *
compile_shader(struct ir_shader *sh)
{
   return compile_timed(sh, compiler_clock());
}

/* Puts the program's text in front of the dump. */
static void
dump_tgsi(const struct tgsi_token *tokens, struct tgsiamd_shader_binary *bin)
{
   struct dump d = {0};
   char why[8];
   if (!tgsiamd_tgsi_check(tokens, why, sizeof(why)) || !(d.file = open_memstream(&d.text, &d.size)))
      return;
   tgsi_dump_to_file(tokens, 0, d.file);
   if (bin->dump)
      fputs(bin->dump, d.file);
   fclose(d.file);
   free(bin->dump);
   bin->dump = d.text;
}

struct tgsiamd_shader_binary *
tgsiamd_compile(enum tgsiamd_gfx gfx, const struct tgsi_token *tokens, const struct tgsiamd_key *key, uint32_t options)
{
   jmp_buf oom, *outer = ir_out_of_memory;
   if (!setjmp(oom)) {
      ir_out_of_memory = &oom;
      uint64_t since = options & TGSIAMD_COMPILE_TIMES ? compiler_clock() : 0;
      struct ir_shader *sh = tgsi_to_ir(gfx, tokens, key, options);
      struct tgsiamd_shader_binary *made = sh ? compile_timed(sh, since) : NULL;
      if (made && (options & TGSIAMD_COMPILE_DUMP_TGSI))
         dump_tgsi(tokens, made);
      ir_out_of_memory = outer;
      return made;
   }
   ir_out_of_memory = outer;
   return NULL;
}

bool
tgsiamd_compile_gs(enum tgsiamd_gfx gfx, const struct tgsi_token *vs_tokens, const struct tgsi_token *gs_tokens,
                   const struct tgsiamd_key *key, uint32_t options, struct tgsiamd_shader_binary *out[2])
{
   struct ir_shader *sh = tgsi_to_ir_gs(gfx, vs_tokens, gs_tokens, key, options);
   struct ir_shader *copy = sh ? ir_gs_copy_shader(sh) : NULL;
   out[0] = sh ? compile_shader(sh) : NULL;
   out[1] = copy ? compile_shader(copy) : NULL;
   if (!out[0] || !out[1]) {
      tgsiamd_shader_binary_free(out[0]);
      tgsiamd_shader_binary_free(out[1]);
      return false;
   }
   if (options & TGSIAMD_COMPILE_DUMP_TGSI) {
      dump_tgsi(gs_tokens, out[0]);
      dump_tgsi(vs_tokens, out[0]);
   }
   return true;
}

void
tgsiamd_shader_binary_free(struct tgsiamd_shader_binary *bin)
{
   if (!bin)
      return;
   free(bin->code);
   free(bin->error);
   free(bin->dump);
   free(bin->times);
   free(bin);
}
