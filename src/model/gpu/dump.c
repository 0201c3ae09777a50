/* SPDX-License-Identifier: MIT */
/* Dumps draws: DIR/index.html, and for each draw a folder with draw.txt (state,
 * registers, shaders) and PNG files of images and targets. */
#include "obs/dump.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "amdgfxregs.h"
#include "cb/cb.h"
#include "db/db.h"
#include "obs/out_file.h"
#include "obs/picture.h"
#include "obs/report.h"
#include "regs/regs.h"
#include "regs/regs_text.h"
#include "ta/ta.h"
#include "tgsiamd/isa.h"
#include "vm/vm.h"

#define MAX_IMAGES 64
#define MAX_CODE   16384 /* dwords of a shader */

struct dump {
   char dir[400];
   unsigned first, last;
   FILE *index;
   bool active;             /* the current draw is wanted */
   unsigned num_images;
   uint32_t images[MAX_IMAGES][8];
   pid_t owner;             /* a forked child must not write */
};

static bool make_folder(const char *path)
{
   if (mkdir(path, 0777) == 0 || errno == EEXIST)
      return true;
   fprintf(stderr, "tgsiamd-model: dump-frame: cannot make the folder %s: %s\n", path, strerror(errno));
   return false;
}

struct dump *dump_create(const char *path_text, unsigned first, unsigned last)
{
   struct dump *d = calloc(1, sizeof(*d));
   char path[512], dir[400];
   out_path(path_text, dir, sizeof(dir));
   if (!d || !make_folder(dir)) {
      free(d);
      return NULL;
   }
   *d = (struct dump){ .first = first, .last = last, .owner = getpid() };
   snprintf(d->dir, sizeof(d->dir), "%s", dir);
   snprintf(path, sizeof(path), "%s/index.html", dir);
   d->index = out_file(path, "dump-frame");
   if (!d->index) {
      free(d);
      return NULL;
   }
   fprintf(d->index, "<!DOCTYPE html><meta charset=utf-8><title>Draws</title>\n<style>body{font-family:sans-serif}"
           "section{border-top:1px solid #888;padding:.5em 0}figure{display:inline-block;margin:.3em;vertical-align:top}"
           "img{max-width:300px;border:1px solid #ccc;image-rendering:pixelated;background:#eee}"
           "figcaption{max-width:300px;font-size:70%%}</style>\n<h1>Draws</h1>\n");
   return d;
}

void dump_destroy(struct dump *d)
{
   if (d && d->owner == getpid())
      fclose(d->index);
   free(d);
}

void dump_begin(struct dump *d, const struct model_env *env)
{
   if (!d)
      return;
   const unsigned submission = model_where(env->report)->submission;
   d->active = submission >= d->first && submission <= d->last && d->owner == getpid();
   d->num_images = 0;
}

void dump_image(struct dump *d, const uint32_t rsrc[8])
{
   if (!d->active || d->num_images == MAX_IMAGES)
      return;
   for (unsigned i = d->num_images; i--;)
      if (memcmp(d->images[i], rsrc, sizeof(d->images[i])) == 0)
         return;
   memcpy(d->images[d->num_images++], rsrc, sizeof(d->images[0]));
}

/* ---- text ---- */

static const struct { const char *name; uint32_t lo, hi, rsrc1; } programs[] = {
   { "PS", R_00B020_SPI_SHADER_PGM_LO_PS, R_00B024_SPI_SHADER_PGM_HI_PS, R_00B028_SPI_SHADER_PGM_RSRC1_PS },
   { "VS", R_00B120_SPI_SHADER_PGM_LO_VS, R_00B124_SPI_SHADER_PGM_HI_VS, R_00B128_SPI_SHADER_PGM_RSRC1_VS },
   { "ES-GS", R_00B210_SPI_SHADER_PGM_LO_ES, R_00B214_SPI_SHADER_PGM_HI_ES, R_00B228_SPI_SHADER_PGM_RSRC1_GS },
   { "LS-HS", R_00B410_SPI_SHADER_PGM_LO_LS, R_00B414_SPI_SHADER_PGM_HI_LS, R_00B428_SPI_SHADER_PGM_RSRC1_HS },
   { "CS", R_00B830_COMPUTE_PGM_LO, R_00B834_COMPUTE_PGM_HI, R_00B848_COMPUTE_PGM_RSRC1 },
};

static bool in_use(const struct model_env *env, unsigned program, bool dispatch)
{
   const uint32_t stages = reg_ctx(env->regs, R_028B54_VGT_SHADER_STAGES_EN);
   if (dispatch || program == 4)
      return dispatch && program == 4;
   return program < 2 || (program == 2 ? G_028B54_GS_EN(stages) : G_028B54_HS_EN(stages));
}

/* Straight through memory up to the s_endpgm that no earlier branch jumps over. */
static void disassemble(FILE *out, const struct model_env *env, uint64_t va)
{
   uint64_t avail = 0;
   const uint32_t *code = vm_probe(env->vm, VM_SQ_INST, va, false, &avail);
   const unsigned num = avail / 4 < MAX_CODE ? (unsigned)(avail / 4) : MAX_CODE;
   unsigned furthest = 0;
   for (unsigned at = 0; code && at < num;) {
      struct isa_inst inst;
      char text[160];
      const unsigned n = isa_decode(TGSIAMD_GFX9, code + at, num - at < 5 ? num - at : 5, &inst);
      if (!n) {
         fprintf(out, "   0x%04x  %08x  no instruction\n", 4 * at, code[at]);
         return;
      }
      isa_print(TGSIAMD_GFX9, &inst, text, sizeof(text));
      fprintf(out, "   0x%04x  %s\n", 4 * at, text);
      const uint32_t flags = isa_op_infos[inst.op].flags;
      if (isa_op_infos[inst.op].unit == ISA_UNIT_BRANCH) {
         const int64_t to = (int64_t)at + 1 + (int16_t)inst.imm;
         furthest = to > furthest ? (unsigned)to : furthest;
      }
      at += n;
      if (flags & ISA_ENDS_PROGRAM && at > furthest)
         return;
   }
}

static void bank(FILE *out, const char *name, const uint32_t *values, unsigned num, uint32_t base)
{
   fprintf(out, "\n%s registers (those that are not zero)\n", name);
   for (unsigned i = 0; i < num; i++) {
      if (!values[i])
         continue;
      fprintf(out, "   ");
      regs_print(out, base + 4 * i, values[i]);
      fputc('\n', out);
   }
}

static void write_text(const char *path, const struct model_env *env, const struct msg_draw *draw,
                       const struct msg_dispatch *dispatch)
{
   const struct model_where *where = model_where(env->report);
   FILE *out = fopen(path, "w");
   if (!out) {
      fprintf(stderr, "tgsiamd-model: cannot write %s: %s\n", path, strerror(errno));
      return;
   }
   fprintf(out, "%s %u, submission %u, packet at 0x%llx\n", draw ? "draw" : "dispatch", where->draw, where->submission,
           (unsigned long long)where->packet_va);
   if (draw)
      fprintf(out, "%u %s, first %u, %u instances; index buffer 0x%llx, %u indices of %u bytes\n", draw->num_indices,
              draw->indexed ? "indices" : "vertices", draw->first_index, draw->num_instances,
              (unsigned long long)draw->index_va, draw->indexed ? draw->max_indices : 0, draw->indexed ? draw->index_size : 0);
   else
      fprintf(out, "%u x %u x %u groups, initiator 0x%x\n", dispatch->groups[0], dispatch->groups[1], dispatch->groups[2],
              dispatch->initiator);
   for (unsigned i = 0; i < sizeof(programs) / sizeof(programs[0]); i++) {
      const uint64_t va = (uint64_t)(reg_sh(env->regs, programs[i].hi) & 0xff) << 40 |
                          (uint64_t)reg_sh(env->regs, programs[i].lo) << 8;
      if (!va || !in_use(env, i, dispatch != NULL))
         continue;
      fprintf(out, "\n%s at 0x%llx: ", programs[i].name, (unsigned long long)va);
      regs_print(out, programs[i].rsrc1, reg_sh(env->regs, programs[i].rsrc1));
      fputc('\n', out);
      disassemble(out, env, va);
   }
   bank(out, "Context", env->regs->context, draw ? REGS_CONTEXT_COUNT : 0, REGS_CONTEXT_BASE);
   bank(out, "Shader", env->regs->sh, REGS_SH_COUNT, REGS_SH_BASE);
   bank(out, "User config", env->regs->uconfig, draw ? REGS_UCONFIG_COUNT : 0, REGS_UCONFIG_BASE);
   if (ferror(out))
      fprintf(stderr, "tgsiamd-model: %s could not be written\n", path);
   fclose(out);
}

/* ---- pictures ---- */

static void add_picture(struct dump *d, unsigned number, const char *name, struct picture *p)
{
   char path[512];
   snprintf(path, sizeof(path), "%s/draw-%04u/%s.png", d->dir, number, name);
   if (picture_write(p, path))
      fprintf(d->index, "<figure><a href=\"draw-%04u/%s.png\"><img src=\"draw-%04u/%s.png\"></a><figcaption>%s: %s"
              "</figcaption></figure>\n", number, name, number, name, name, p->note);
   picture_free(p);
}

static void images(struct dump *d, const struct model_env *env, unsigned number)
{
   for (unsigned i = 0; i < d->num_images; i++) {
      struct picture p = { 0 };
      char name[32];
      snprintf(name, sizeof(name), "image-%u", i);
      if (ta_picture(env, d->images[i], &p))
         add_picture(d, number, name, &p);
   }
}

static void targets(struct dump *d, const struct model_env *env, unsigned number, struct cb *cb, struct db *db)
{
   char name[32];
   for (unsigned i = 0; i < 8; i++) {
      struct picture p = { 0 };
      snprintf(name, sizeof(name), "color-%u", i);
      if (cb_picture(cb, env, i, &p))
         add_picture(d, number, name, &p);
   }
   for (unsigned stencil = 0; stencil < 2; stencil++) {
      struct picture p = { 0 };
      if (db_picture(db, env, stencil, &p))
         add_picture(d, number, stencil ? "stencil" : "depth", &p);
   }
}

void dump_end(struct dump *d, const struct model_env *env, const struct msg_draw *draw,
              const struct msg_dispatch *dispatch, struct cb *cb, struct db *db)
{
   if (!d || !d->active)
      return;
   const struct model_where *where = model_where(env->report);
   const unsigned number = where->draw;
   char path[512];
   snprintf(path, sizeof(path), "%s/draw-%04u", d->dir, number);
   if (!make_folder(path))
      return;
   snprintf(path, sizeof(path), "%s/draw-%04u/draw.txt", d->dir, number);
   write_text(path, env, draw, dispatch);
   fprintf(d->index, "<section><h2 id=d%u>%s %u</h2><p>submission %u, <a href=\"draw-%04u/draw.txt\">state and shaders"
           "</a></p>\n", number, draw ? "Draw" : "Dispatch", number, where->submission, number);
   /* What this looks at is no access of the stream's: no cache check, no count. */
   struct model_stats stats = { 0 };
   struct model_env own = *env;
   own.stats = &stats;
   own.cache = NULL;
   images(d, &own, number);
   if (draw)
      targets(d, &own, number, cb, db);
   fprintf(d->index, "</section>\n");
   fflush(d->index);
}
