/* SPDX-License-Identifier: MIT */
/* Every function of libdrm's amdgpu.h that asks the kernel something, and every
 * INFO query of amdgpu_drm.h: each has an answer of the right size, or the
 * error that a Raven's kernel gives. */
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#include "kernel_device.h"

static int query(uint32_t id, uint32_t size, void *out)
{
   memset(out, 0xa5, size);
   return amdgpu_query_info(dev, id, size, out);
}

static void test_queries(void)
{
   union {
      uint32_t u32;
      uint64_t u64;
      struct drm_amdgpu_info_device device;
      struct drm_amdgpu_info_vram_gtt heaps;
      struct drm_amdgpu_memory_info memory;
      struct drm_amdgpu_info_gds gds;
      struct drm_amdgpu_info_vce_clock_table vce;
      struct drm_amdgpu_info_vbios vbios;
   } u;
   struct amdgpu_gpu_info gpu;
   struct amdgpu_gds_resource_info gds;
   struct amdgpu_buffer_size_alignments align;
   struct drm_amdgpu_info_hw_ip ip;
   uint32_t count, version, feature;
   int32_t crtc;
   CHECK(query(AMDGPU_INFO_ACCEL_WORKING, 4, &u) == 0 && u.u32 == 1, "acceleration");
   CHECK(query(AMDGPU_INFO_TIMESTAMP, 8, &u) == 0 && u.u64 != 0, "clock");
   CHECK(query(AMDGPU_INFO_NUM_BYTES_MOVED, 8, &u) == 0 && u.u64 == 0, "moves");
   CHECK(query(AMDGPU_INFO_NUM_EVICTIONS, 8, &u) == 0 && u.u64 == 0, "evictions");
   CHECK(query(AMDGPU_INFO_NUM_VRAM_CPU_PAGE_FAULTS, 8, &u) == 0 && u.u64 == 0, "CPU faults");
   CHECK(query(AMDGPU_INFO_VRAM_USAGE, 8, &u) == 0 && query(AMDGPU_INFO_VIS_VRAM_USAGE, 8, &u) == 0 &&
         query(AMDGPU_INFO_GTT_USAGE, 8, &u) == 0, "usage");
   CHECK(query(AMDGPU_INFO_VRAM_GTT, sizeof(u.heaps), &u) == 0 && u.heaps.vram_cpu_accessible_size <= u.heaps.vram_size,
         "heaps");
   CHECK(query(AMDGPU_INFO_MEMORY, sizeof(u.memory), &u) == 0 &&
         u.memory.vram.usable_heap_size <= u.memory.vram.total_heap_size, "memory");
   CHECK(query(AMDGPU_INFO_DEV_INFO, sizeof(u.device), &u) == 0 && u.device.family == AMDGPU_FAMILY_RV &&
         u.device.wave_front_size == 64 && u.device.virtual_address_alignment == 4096, "device");
   memset(&u, 0xa5, sizeof(u));
   CHECK(query(AMDGPU_INFO_DEV_INFO, 8, &u) == 0 && u.device.device_id == 0x15dd && u.device.family == 0xa5a5a5a5,
         "an answer is cut to the size asked for");
   CHECK(query(AMDGPU_INFO_VCE_CLOCK_TABLE, sizeof(u.vce), &u) == 0 && u.vce.num_valid_entries == 0, "no VCE");
   CHECK(query(AMDGPU_INFO_VRAM_LOST_COUNTER, 4, &u) == 0, "VRAM lost");
   CHECK(query(AMDGPU_INFO_RAS_ENABLED_FEATURES, 8, &u) == 0 && u.u64 == 0, "RAS");
   CHECK(query(0x77, 4, &u) == -EINVAL, "no such query");
   CHECK(query(AMDGPU_INFO_ACCEL_WORKING, 0, &u) == -EINVAL, "no room");
   CHECK(amdgpu_query_crtc_from_id(dev, 0, &crtc) == -EINVAL, "no display");

   CHECK(amdgpu_query_gpu_info(dev, &gpu) == 0 && gpu.num_shader_engines == 1 && gpu.rb_pipes == 2,
         "pipes %u", gpu.rb_pipes);
   CHECK(amdgpu_query_gds_info(dev, &gds) == 0 && gds.gds_total_size >= 4096, "GDS");
   CHECK(amdgpu_query_buffer_size_alignment(dev, &align) == 0 && align.size_local >= 4096, "alignment");
   static const struct { unsigned type; bool have; } ips[] = {
      { AMDGPU_HW_IP_GFX, true }, { AMDGPU_HW_IP_COMPUTE, true }, { AMDGPU_HW_IP_DMA, true },
      { AMDGPU_HW_IP_UVD, false }, { AMDGPU_HW_IP_VCE, false }, { AMDGPU_HW_IP_UVD_ENC, false },
   };
   for (unsigned i = 0; i < sizeof(ips) / sizeof(ips[0]); i++) {
      CHECK(amdgpu_query_hw_ip_info(dev, ips[i].type, 0, &ip) == 0 && !!ip.available_rings == ips[i].have, "IP %u", i);
      CHECK(amdgpu_query_hw_ip_count(dev, ips[i].type, &count) == 0 && count == ips[i].have, "count of IP %u", i);
   }
   CHECK(amdgpu_query_hw_ip_info(dev, AMDGPU_HW_IP_NUM, 0, &ip) == -EINVAL, "no such IP");
   CHECK(amdgpu_query_hw_ip_info(dev, AMDGPU_HW_IP_GFX, 1, &ip) == -EINVAL, "no second one");
   for (unsigned fw = AMDGPU_INFO_FW_VCE; fw <= AMDGPU_INFO_FW_TOC; fw++) {
      if (fw == 0x07 + 2) /* a number that was never given */
         continue;
      CHECK(amdgpu_query_firmware_version(dev, fw, 0, 0, &version, &feature) == 0, "firmware 0x%x", fw);
   }
   CHECK(amdgpu_query_firmware_version(dev, AMDGPU_INFO_FW_GFX_ME, 0, 0, &version, &feature) == 0 && feature >= 29,
         "ME");
   for (unsigned s = AMDGPU_INFO_SENSOR_GFX_SCLK; s <= AMDGPU_INFO_SENSOR_STABLE_PSTATE_GFX_MCLK; s++)
      CHECK(amdgpu_query_sensor_info(dev, s, 4, &version) == 0, "sensor %u", s);
   CHECK(amdgpu_query_sensor_info(dev, 99, 4, &version) == -EINVAL, "no such sensor");
   struct drm_amdgpu_info_video_caps caps;
   CHECK(amdgpu_query_video_caps_info(dev, AMDGPU_INFO_VIDEO_CAPS_DECODE, sizeof(caps), &caps) == 0, "video");
   CHECK(amdgpu_query_video_caps_info(dev, 7, sizeof(caps), &caps) == -EINVAL, "no such video");
   CHECK(amdgpu_query_sw_info(dev, amdgpu_sw_info_address32_hi, &version) == 0, "32-bit addresses");
   CHECK(amdgpu_read_mm_registers(dev, 0x263e, 1, 0xffffffff, 0, &version) == 0 && version == 0x24000042,
         "0x%x", version);
   CHECK(amdgpu_read_mm_registers(dev, 0x1, 1, 0xffffffff, 0, &version) != 0, "a register that is not for reading");
}

static void test_contexts(void)
{
   amdgpu_context_handle ctx;
   uint32_t state;
   CHECK(amdgpu_cs_ctx_create2(dev, AMDGPU_CTX_PRIORITY_LOW, &ctx) == 0, "low priority");
   CHECK(amdgpu_cs_ctx_override_priority(dev, ctx, fd, AMDGPU_CTX_PRIORITY_NORMAL) == -EACCES,
         "for the display server only");
   CHECK(amdgpu_cs_ctx_stable_pstate(ctx, AMDGPU_CTX_OP_GET_STABLE_PSTATE, 0, &state) == 0 &&
         state == AMDGPU_CTX_STABLE_PSTATE_NONE, "clocks");
   CHECK(amdgpu_vm_reserve_vmid(dev, 0) == 0 && amdgpu_vm_unreserve_vmid(dev, 0) == 0, "VMID");
   CHECK(amdgpu_cs_ctx_free(ctx) == 0, "free");
}

/* The older ways to name buffers and to submit. */
static void test_lists(amdgpu_context_handle ctx)
{
   struct buffer b[2] = { buffer_new(4096), buffer_new(4096) };
   amdgpu_bo_handle bos[2] = { b[0].bo, b[1].bo };
   amdgpu_bo_list_handle list;
   amdgpu_semaphore_handle sem;
   uint32_t raw, sync_obj, sync_fd;
   uint64_t seq;
   struct drm_amdgpu_bo_list_entry entries[2] = { { b[0].handle, 0 }, { b[1].handle, 0 } };
   CHECK(amdgpu_bo_list_create(dev, 2, bos, NULL, &list) == 0, "list");
   CHECK(amdgpu_bo_list_update(list, 2, bos, NULL) == 0, "update");
   struct amdgpu_cs_ib_info ib = { .ib_mc_address = b[0].va, .size = write_data(b[0].map, b[1].va, 11) };
   struct amdgpu_cs_request request =
      { .ip_type = AMDGPU_HW_IP_GFX, .number_of_ibs = 1, .ibs = &ib, .resources = list };
   CHECK(amdgpu_cs_submit(ctx, 0, &request, 1) == 0, "submit");
   struct amdgpu_cs_fence fence = { .context = ctx, .ip_type = AMDGPU_HW_IP_GFX, .fence = request.seq_no };
   CHECK(wait_seq(ctx, request.seq_no) == 0 && b[1].map[0] == 11, "done");
   CHECK(amdgpu_cs_create_semaphore(&sem) == 0 && amdgpu_cs_signal_semaphore(ctx, AMDGPU_HW_IP_GFX, 0, 0, sem) == 0 &&
         amdgpu_cs_wait_semaphore(ctx, AMDGPU_HW_IP_GFX, 0, 0, sem) == 0, "semaphore");
   CHECK(amdgpu_cs_submit(ctx, 0, &request, 1) == 0, "after a semaphore");
   amdgpu_cs_destroy_semaphore(sem);
   CHECK(amdgpu_bo_list_destroy(list) == 0, "destroy");
   CHECK(amdgpu_bo_list_create_raw(dev, 2, entries, &raw) == 0, "raw list");
   struct drm_amdgpu_cs_chunk_ib data = { .va_start = b[0].va, .ib_bytes = 20, .ip_type = AMDGPU_HW_IP_GFX };
   struct drm_amdgpu_cs_chunk chunk = { AMDGPU_CHUNK_ID_IB, sizeof(data) / 4, (uintptr_t)&data };
   CHECK(amdgpu_cs_submit_raw2(dev, ctx, raw, 1, &chunk, &seq) == 0 && wait_seq(ctx, seq) == 0, "by number");
   CHECK(amdgpu_bo_list_destroy_raw(dev, raw) == 0, "destroy");
   CHECK(amdgpu_cs_submit_raw2(dev, ctx, raw, 1, &chunk, &seq) == -ENOENT, "a list that is gone");
   /* sync objects through libdrm_amdgpu */
   uint64_t point = 4, got = 0;
   uint32_t first;
   CHECK(amdgpu_cs_create_syncobj2(dev, DRM_SYNCOBJ_CREATE_SIGNALED, &sync_obj) == 0 &&
         amdgpu_cs_syncobj_wait(dev, &sync_obj, 1, 0, 0, &first) == 0, "signaled");
   CHECK(amdgpu_cs_syncobj_reset(dev, &sync_obj, 1) == 0 && amdgpu_cs_syncobj_signal(dev, &sync_obj, 1) == 0, "signal");
   CHECK(amdgpu_cs_syncobj_export_sync_file(dev, sync_obj, (int *)&sync_fd) == 0 &&
         amdgpu_cs_syncobj_import_sync_file(dev, sync_obj, (int)sync_fd) == 0, "file");
   close((int)sync_fd);
   CHECK(amdgpu_cs_syncobj_timeline_signal(dev, &sync_obj, &point, 1) == 0 &&
         amdgpu_cs_syncobj_query(dev, &sync_obj, &got, 1) == 0 && got == 4, "timeline");
   CHECK(amdgpu_cs_syncobj_query2(dev, &sync_obj, &got, 1, DRM_SYNCOBJ_QUERY_FLAGS_LAST_SUBMITTED) == 0 && got == 4,
         "last");
   CHECK(amdgpu_cs_syncobj_timeline_wait(dev, &sync_obj, &point, 1, 0, 0, &first) == 0, "wait");
   CHECK(amdgpu_cs_syncobj_export_sync_file2(dev, sync_obj, 4, 0, (int *)&sync_fd) == 0 &&
         amdgpu_cs_syncobj_import_sync_file2(dev, sync_obj, 6, (int)sync_fd) == 0 &&
         amdgpu_cs_syncobj_query(dev, &sync_obj, &got, 1) == 0 && got == 6, "file of a point");
   close((int)sync_fd);
   int shared = -1;
   uint32_t again;
   CHECK(amdgpu_cs_export_syncobj(dev, sync_obj, &shared) == 0 && amdgpu_cs_import_syncobj(dev, shared, &again) == 0,
         "share");
   point = 9;
   CHECK(amdgpu_cs_syncobj_timeline_signal(dev, &again, &point, 1) == 0 &&
         amdgpu_cs_syncobj_query(dev, &sync_obj, &got, 1) == 0 && got == 9, "one object");
   CHECK(amdgpu_cs_destroy_syncobj(dev, again) == 0 && amdgpu_cs_destroy_syncobj(dev, sync_obj) == 0, "destroy");
   close(shared);
   CHECK(amdgpu_cs_fence_to_handle(dev, &fence, AMDGPU_FENCE_TO_HANDLE_GET_SYNCOBJ_FD, &sync_fd) == 0 &&
         amdgpu_cs_import_syncobj(dev, (int)sync_fd, &again) == 0 &&
         amdgpu_cs_syncobj_wait(dev, &again, 1, INT64_MAX, 0, &first) == 0, "fence as a shared object");
}

/* Every ring that the device says it has. */
static void test_rings(amdgpu_context_handle ctx)
{
   struct buffer b[2] = { buffer_new(4096), buffer_new(4096) };
   uint64_t seq;
   for (uint32_t ring = 0; ring < 8; ring++) {
      const unsigned n = write_data(b[0].map, b[1].va, 100 + ring);
      CHECK(submit_ring(ctx, AMDGPU_HW_IP_COMPUTE, ring, &b[0], n, b, 2, NULL, &seq) == 0, "compute ring %u", ring);
      struct amdgpu_cs_fence f = { .context = ctx, .ip_type = AMDGPU_HW_IP_COMPUTE, .ring = ring, .fence = seq };
      uint32_t expired = 0;
      CHECK(amdgpu_cs_query_fence_status(&f, AMDGPU_TIMEOUT_INFINITE, 0, &expired) == 0 && expired, "wait");
      CHECK(b[1].map[0] == 100 + ring, "ring %u wrote %u", ring, b[1].map[0]);
   }
   CHECK(submit_ring(ctx, AMDGPU_HW_IP_COMPUTE, 8, &b[0], 5, b, 2, NULL, &seq) == -EINVAL, "no ninth ring");
   CHECK(submit_ring(ctx, AMDGPU_HW_IP_GFX, 1, &b[0], 5, b, 2, NULL, &seq) == -EINVAL, "one graphics ring");
   CHECK(submit_ring(ctx, AMDGPU_HW_IP_UVD, 0, &b[0], 5, b, 2, NULL, &seq) == -EINVAL, "no video");
   /* SDMA: a fill of 64 bytes (CONSTANT_FILL of dwords) */
   const uint32_t fill[] = { 0x8000000b, (uint32_t)b[1].va, (uint32_t)(b[1].va >> 32), 0x77, 63 };
   memcpy(b[0].map, fill, sizeof(fill));
   CHECK(submit_ring(ctx, AMDGPU_HW_IP_DMA, 0, &b[0], 5, b, 2, NULL, &seq) == 0, "SDMA");
   struct amdgpu_cs_fence f = { .context = ctx, .ip_type = AMDGPU_HW_IP_DMA, .fence = seq };
   uint32_t expired = 0;
   CHECK(amdgpu_cs_query_fence_status(&f, AMDGPU_TIMEOUT_INFINITE, 0, &expired) == 0 && b[1].map[15] == 0x77, "filled");
}

int main(void)
{
   if (device_open())
      return 1;
   test_queries();
   test_contexts();
   amdgpu_context_handle ctx = context_new();
   test_lists(ctx);
   test_rings(ctx);
   printf("%u checks, %u failures\n", checks, failures);
   return failures != 0;
}
