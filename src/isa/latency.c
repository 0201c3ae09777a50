/* SPDX-License-Identifier: MIT */
/* How long instructions take, per generation: clocks of latencies.csv.
 *
 * GCN's SIMDs take four clocks for the 64 lanes of an instruction, and more for
 * slow ones; only then comes the wave's next, and a result is there by then.
 * RDNA's have a pipeline: a wave goes on at the next clock, and what needs the
 * result waits. Memory is waited for by counters on all. */
#include "isa_internal.h"

unsigned isa_latency(enum tgsiamd_gfx gfx, enum isa_op op)
{
   return isa_latencies[gfx][isa_op_infos[op].latency_class];
}

unsigned isa_issue_clocks(enum tgsiamd_gfx gfx)
{
   return isa_latencies[gfx][0];
}

struct isa_clocks isa_clocks(enum tgsiamd_gfx gfx, enum isa_op op)
{
   const struct isa_op_info *info = &isa_op_infos[op];
   uint16_t latency = isa_latencies[gfx][info->latency_class];
   bool overlaps = info->counters || isa_limits(gfx)->has_wave32;
   return (struct isa_clocks){latency, overlaps ? isa_latencies[gfx][0] : latency};
}
