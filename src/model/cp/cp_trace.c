/* SPDX-License-Identifier: MIT */
/* TGSIAMD_MODEL=trace: packets in words. Operand names follow the PM4 packet
 * definitions in Mesa's sid.h and the kernel's soc15d.h. Writes of registers
 * show each register with its fields; '*' marks those that change a value. */
#include "cp_internal.h"

#include <stdio.h>
#include <string.h>

#include "amdgfxregs.h"
#include "regs/regs_text.h"
#include "sid.h"

/* Operands in order of the body; "64" after a name: this dword and the next. */
static const struct { uint8_t op; const char *operands; } packets[] = {
   { PKT3_SET_BASE, "index address64" },
   { PKT3_INDEX_BUFFER_SIZE, "count" },
   { PKT3_DISPATCH_DIRECT, "x y z initiator" },
   { PKT3_DISPATCH_INDIRECT, "offset initiator" },
   { PKT3_ATOMIC_MEM, "op address64 data64 compare64 loop" },
   { PKT3_SET_PREDICATION, "op address64" },
   { PKT3_COND_EXEC, "address64 flags dwords" },
   { PKT3_DRAW_INDIRECT, "offset base_vertex_loc start_instance_loc initiator" },
   { PKT3_DRAW_INDEX_INDIRECT, "offset base_vertex_loc start_instance_loc initiator" },
   { PKT3_INDEX_BASE, "address64" },
   { PKT3_DRAW_INDEX_2, "max_size address64 count initiator" },
   { PKT3_CONTEXT_CONTROL, "load shadow" },
   { PKT3_DRAW_INDIRECT_MULTI,
     "offset base_vertex_loc start_instance_loc draw_index_loc count count_address64 stride initiator" },
   { PKT3_DRAW_INDEX_INDIRECT_MULTI,
     "offset base_vertex_loc start_instance_loc draw_index_loc count count_address64 stride initiator" },
   { PKT3_DRAW_INDEX_AUTO, "count initiator" },
   { PKT3_NUM_INSTANCES, "count" },
   { PKT3_STRMOUT_BUFFER_UPDATE, "control dst64 src64" },
   { PKT3_DRAW_INDEX_OFFSET_2, "max_size offset count initiator" },
   { PKT3_WRITE_DATA, "control dst64 data" },
   { PKT3_WAIT_REG_MEM, "control address64 reference mask poll" },
   { PKT3_INDIRECT_BUFFER_CIK, "address64 control" },
   { PKT3_COPY_DATA, "control src64 dst64" },
   { PKT3_SURFACE_SYNC, "coher_cntl size base poll" },
   { PKT3_COND_WRITE, "control poll64 reference mask dst64 data" },
   { PKT3_RELEASE_MEM, "event control address64 data64 int_ctxid" },
   { PKT3_DMA_DATA, "control src64 dst64 command" },
   { PKT3_CONTEXT_REG_RMW, "register mask data" },
   { PKT3_ACQUIRE_MEM, "coher_cntl size64 base64 poll" },
   { PKT3_REWIND, "control" },
   { PKT3_LOAD_SH_REG_INDEX, "address64 register count" },
   { PKT3_LOAD_CONTEXT_REG_INDEX, "address64 register count" },
};

static const struct { uint8_t op; uint32_t base; } register_packets[] = {
   { PKT3_SET_CONFIG_REG, SI_CONFIG_REG_OFFSET },
   { PKT3_SET_CONTEXT_REG, SI_CONTEXT_REG_OFFSET },
   { PKT3_SET_SH_REG, SI_SH_REG_OFFSET },
   { PKT3_SET_SH_REG_INDEX, SI_SH_REG_OFFSET },
   { PKT3_SET_UCONFIG_REG, CIK_UCONFIG_REG_OFFSET },
   { PKT3_SET_UCONFIG_REG_INDEX, CIK_UCONFIG_REG_OFFSET },
};

static const struct { uint8_t type; const char *name; } events[] = {
#define ROW(name) { V_028A90_##name, #name }
   ROW(SAMPLE_STREAMOUTSTATS1), ROW(SAMPLE_STREAMOUTSTATS2), ROW(SAMPLE_STREAMOUTSTATS3), ROW(CACHE_FLUSH_TS),
   ROW(CACHE_FLUSH), ROW(CS_PARTIAL_FLUSH), ROW(VGT_STREAMOUT_SYNC), ROW(VGT_STREAMOUT_RESET), ROW(VS_PARTIAL_FLUSH),
   ROW(PS_PARTIAL_FLUSH), ROW(FLUSH_HS_OUTPUT), ROW(CACHE_FLUSH_AND_INV_TS_EVENT), ROW(ZPASS_DONE),
   ROW(CACHE_FLUSH_AND_INV_EVENT), ROW(PERFCOUNTER_START), ROW(PERFCOUNTER_STOP), ROW(PIPELINESTAT_START),
   ROW(PIPELINESTAT_STOP), ROW(SAMPLE_PIPELINESTAT), ROW(SO_VGTSTREAMOUT_FLUSH), ROW(SAMPLE_STREAMOUTSTATS),
   ROW(VGT_FLUSH), ROW(FLUSH_AND_INV_DB_DATA_TS), ROW(FLUSH_AND_INV_DB_META), ROW(FLUSH_AND_INV_CB_DATA_TS),
   ROW(FLUSH_AND_INV_CB_META), ROW(CS_DONE), ROW(PS_DONE), ROW(BOTTOM_OF_PIPE_TS), ROW(BREAK_BATCH),
   ROW(THREAD_TRACE_MARKER),
#undef ROW
};

static void operands(const struct cp_packet *p, const char *names, FILE *out)
{
   unsigned i = 0;
   while (*names && i < p->count) {
      const size_t n = strcspn(names, " ");
      const bool wide = n > 2 && memcmp(names + n - 2, "64", 2) == 0 && i + 1 < p->count;
      if (wide)
         fprintf(out, " %.*s=0x%llx", (int)n - 2, names, (unsigned long long)CP_LO_HI(p->body[i], p->body[i + 1]));
      else
         fprintf(out, p->body[i] > 65535 ? " %.*s=0x%x" : " %.*s=%u", (int)n, names, p->body[i]);
      i += wide ? 2 : 1;
      names += n + (names[n] == ' ');
   }
   for (unsigned shown = 0; i < p->count && shown < 8; i++, shown++)
      fprintf(out, " %08x", p->body[i]);
   if (i < p->count)
      fprintf(out, " ... (%u dwords)", p->count);
}

static void event(const struct cp_packet *p, FILE *out)
{
   const unsigned type = p->body[0] & 0x3f;
   for (unsigned i = 0; i < sizeof(events) / sizeof(events[0]); i++) {
      if (events[i].type == type)
         fprintf(out, " %s", events[i].name);
   }
   fprintf(out, " type=%u index=%u", type, p->body[0] >> 8 & 15);
   if (p->count >= 3)
      fprintf(out, " address=0x%llx", (unsigned long long)CP_LO_HI(p->body[1], p->body[2]));
}

static void registers(const struct cp *cp, const struct cp_packet *p, uint32_t base, int indent, FILE *out)
{
   uint32_t addr = base + 4 * (p->body[0] & 0xffff);
   for (unsigned i = 1; i < p->count; i++, addr += 4) {
      uint32_t old = 0;
      const bool known = regs_read(cp->config.regs, addr, &old);
      fprintf(out, "tgsiamd-model: %*s %c ", indent + 15, "", !known || old != p->body[i] ? '*' : ' ');
      regs_print(out, addr, p->body[i]);
      fputc('\n', out);
   }
}

void cp_trace(const struct cp *cp, const struct cp_packet *p, const char *name)
{
   FILE *out = stderr;
   const int indent = 2 * (int)cp->depth;
   fprintf(out, "tgsiamd-model: 0x%012llx %*s%s%s", (unsigned long long)p->va, indent, "", name,
           p->header & 1 && cp->predicating && !cp->predicate ? " (predicated off)" : "");
   for (unsigned i = 0; i < sizeof(register_packets) / sizeof(register_packets[0]); i++) {
      if (register_packets[i].op == p->op && p->count) {
         fputc('\n', out);
         registers(cp, p, register_packets[i].base, indent, out);
         return;
      }
   }
   const char *names = "";
   for (unsigned i = 0; i < sizeof(packets) / sizeof(packets[0]); i++)
      if (packets[i].op == p->op)
         names = packets[i].operands;
   if (p->op == PKT3_EVENT_WRITE && p->count)
      event(p, out);
   else
      operands(p, names, out);
   fputc('\n', out);
}
