/* SPDX-License-Identifier: MIT */
/* The INFO ioctl: what the kernel tells of the device. Values are a Raven's
 * (GFX9 APU); those that a chip row holds come from there. */
#include "shim.h"

#include <stdio.h>
#include <string.h>

#include <libdrm/amdgpu_drm.h>

#define MMR_GB_ADDR_CONFIG 0x263e

static const struct { uint32_t type, ver, feature; } firmware[] = {
   { AMDGPU_INFO_FW_GFX_ME, 162, 46 },  { AMDGPU_INFO_FW_GFX_PFP, 190, 46 },
   { AMDGPU_INFO_FW_GFX_CE, 79, 46 },   { AMDGPU_INFO_FW_GFX_MEC, 434, 46 },
   { AMDGPU_INFO_FW_GFX_RLC, 53, 1 },   { AMDGPU_INFO_FW_SDMA, 41, 41 },
   { AMDGPU_INFO_FW_SMC, 0x1e4300, 0 }, { AMDGPU_INFO_FW_GMC, 0, 0 },
   { AMDGPU_INFO_FW_VCE, 0, 0 },        { AMDGPU_INFO_FW_UVD, 0, 0 },
   { AMDGPU_INFO_FW_SOS, 0, 0 },        { AMDGPU_INFO_FW_ASD, 0, 0 },
   { AMDGPU_INFO_FW_VCN, 0, 0 },        { AMDGPU_INFO_FW_DMCU, 0, 0 },
   { AMDGPU_INFO_FW_TA, 0, 0 },         { AMDGPU_INFO_FW_DMCUB, 0, 0 },
   { AMDGPU_INFO_FW_TOC, 0, 0 },        { AMDGPU_INFO_FW_GFX_RLC_RESTORE_LIST_CNTL, 0, 0 },
   { AMDGPU_INFO_FW_GFX_RLC_RESTORE_LIST_GPM_MEM, 0, 0 },
   { AMDGPU_INFO_FW_GFX_RLC_RESTORE_LIST_SRM_MEM, 0, 0 },
};

static const struct drm_amdgpu_info_hw_ip ips[] = {
   [AMDGPU_HW_IP_GFX] = { .hw_ip_version_major = 9, .hw_ip_version_minor = 1, .ib_start_alignment = 32,
                          .ib_size_alignment = 32, .available_rings = 0x1 },
   [AMDGPU_HW_IP_COMPUTE] = { .hw_ip_version_major = 9, .hw_ip_version_minor = 1, .ib_start_alignment = 32,
                              .ib_size_alignment = 32, .available_rings = 0xff },
   [AMDGPU_HW_IP_DMA] = { .hw_ip_version_major = 4, .hw_ip_version_minor = 1, .ib_start_alignment = 256,
                          .ib_size_alignment = 4, .available_rings = 0x1 },
};

/* GPU clocks at rest, in MHz, degrees and mW as the sensors give them. */
static const struct { uint32_t type, value; } sensors[] = {
   { AMDGPU_INFO_SENSOR_GFX_SCLK, 1100 },      { AMDGPU_INFO_SENSOR_GFX_MCLK, 1200 },
   { AMDGPU_INFO_SENSOR_GPU_TEMP, 45000 },     { AMDGPU_INFO_SENSOR_GPU_LOAD, 0 },
   { AMDGPU_INFO_SENSOR_GPU_AVG_POWER, 15 },   { AMDGPU_INFO_SENSOR_VDDNB, 900 },
   { AMDGPU_INFO_SENSOR_VDDGFX, 900 },         { AMDGPU_INFO_SENSOR_STABLE_PSTATE_GFX_SCLK, 1100 },
   { AMDGPU_INFO_SENSOR_STABLE_PSTATE_GFX_MCLK, 1200 },
};

static int give(const struct drm_amdgpu_info *info, const void *data, size_t size)
{
   return user_write(info->return_pointer, data, size < info->return_size ? size : info->return_size);
}

static int give32(const struct drm_amdgpu_info *info, uint32_t v) { return give(info, &v, sizeof(v)); }
static int give64(const struct drm_amdgpu_info *info, uint64_t v) { return give(info, &v, sizeof(v)); }

static int device_info(const struct drm_amdgpu_info *info)
{
   const struct tgsiamd_chip *chip = shim_chip();
   struct drm_amdgpu_info_device d;
   memset(&d, 0, sizeof(d));
   d.device_id = chip->pci_device;
   d.external_rev = chip->external_rev;
   d.pci_rev = 0xc6;
   d.family = chip->family;
   d.num_shader_engines = chip->num_se;
   d.num_shader_arrays_per_engine = chip->num_sh_per_se;
   d.gpu_counter_freq = 100000;
   d.max_engine_clock = 1100000;
   d.max_memory_clock = 1200000;
   d.cu_active_number = chip->num_se * chip->num_sh_per_se * chip->num_cu_per_sh;
   for (unsigned se = 0; se < chip->num_se && se < 4; se++) {
      for (unsigned sh = 0; sh < chip->num_sh_per_se && sh < 4; sh++) {
         d.cu_bitmap[se][sh] = (1u << chip->num_cu_per_sh) - 1;
         d.cu_ao_bitmap[se][sh] = d.cu_bitmap[se][sh];
      }
   }
   d.enabled_rb_pipes_mask = (1u << chip->num_rb) - 1;
   d.num_rb_pipes = chip->num_rb;
   d.num_hw_gfx_contexts = 8;
   d.ids_flags = chip->family == AMDGPU_FAMILY_RV ? AMDGPU_IDS_FLAGS_FUSION : 0;
   d.virtual_address_offset = 2ull << 20;
   d.virtual_address_max = 0x0000800000000000ull;
   d.virtual_address_alignment = SHIM_PAGE;
   d.pte_fragment_size = 2u << 20;
   d.gart_page_size = SHIM_PAGE;
   d.ce_ram_size = 32768;
   d.vram_type = AMDGPU_VRAM_TYPE_DDR4;
   d.vram_bit_width = 128;
   d.gc_double_offchip_lds_buf = 1;
   d.wave_front_size = 64;
   d.num_shader_visible_vgprs = 256;
   d.num_cu_per_sh = chip->num_cu_per_sh;
   d.num_tcc_blocks = 4;
   d.gs_vgt_table_depth = 32;
   d.gs_prim_buffer_depth = 1792;
   d.max_gs_waves_per_vgt = 32;
   d.high_va_offset = 0xffff800000200000ull;
   d.high_va_max = 0xffffffffffe00000ull;
   return give(info, &d, sizeof(d));
}

static struct drm_amdgpu_heap_info heap(uint64_t size, uint64_t domain)
{
   return (struct drm_amdgpu_heap_info){ size, size, bo_usage(domain), size / 4 * 3 };
}

static int memory_info(const struct drm_amdgpu_info *info)
{
   struct drm_amdgpu_memory_info m;
   pthread_mutex_lock(&shim_lock);
   m.vram = heap(bo_vram_size(), AMDGPU_GEM_DOMAIN_VRAM);
   m.cpu_accessible_vram = m.vram;
   m.gtt = heap(bo_gtt_size(), AMDGPU_GEM_DOMAIN_GTT);
   pthread_mutex_unlock(&shim_lock);
   return give(info, &m, sizeof(m));
}

static int usage_info(const struct drm_amdgpu_info *info, uint64_t domain)
{
   pthread_mutex_lock(&shim_lock);
   const uint64_t usage = bo_usage(domain);
   pthread_mutex_unlock(&shim_lock);
   return give64(info, usage);
}

static int read_registers(const struct drm_amdgpu_info *info)
{
   uint32_t regs[128];
   const uint32_t first = info->read_mmr_reg.dword_offset, count = info->read_mmr_reg.count;
   if (count > 128 || !count)
      return -EINVAL;
   for (uint32_t i = 0; i < count; i++) {
      switch (first + i) {
      case MMR_GB_ADDR_CONFIG:
         regs[i] = shim_chip()->gb_addr_config;
         break;
      /* GRBM_STATUS2, GRBM_STATUS, GRBM_STATUS_SE0, _SE1: all idle */
      case 0x2002: case 0x2004: case 0x2005: case 0x2006:
         regs[i] = 0;
         break;
      default: /* the kernel lets only a list of registers through */
         fprintf(stderr, "tgsiamd-model: INFO: register 0x%x is not readable\n", first + i);
         return -EFAULT;
      }
   }
   return give(info, regs, count * 4);
}

static int hw_ip(const struct drm_amdgpu_info *info)
{
   static const struct drm_amdgpu_info_hw_ip none;
   if (info->query_hw_ip.type >= AMDGPU_HW_IP_NUM || info->query_hw_ip.ip_instance)
      return -EINVAL;
   const bool have = info->query_hw_ip.type < sizeof(ips) / sizeof(ips[0]);
   return give(info, have ? &ips[info->query_hw_ip.type] : &none, sizeof(none));
}

static int firmware_version(const struct drm_amdgpu_info *info)
{
   for (unsigned i = 0; i < sizeof(firmware) / sizeof(firmware[0]); i++) {
      if (firmware[i].type == info->query_fw.fw_type) {
         const struct drm_amdgpu_info_firmware fw = { firmware[i].ver, firmware[i].feature };
         return give(info, &fw, sizeof(fw));
      }
   }
   return -EINVAL;
}

static int sensor(const struct drm_amdgpu_info *info)
{
   for (unsigned i = 0; i < sizeof(sensors) / sizeof(sensors[0]); i++) {
      if (sensors[i].type == info->sensor_info.type)
         return give32(info, sensors[i].value);
   }
   return -EINVAL;
}

static int vbios(const struct drm_amdgpu_info *info)
{
   struct drm_amdgpu_info_vbios v;
   switch (info->vbios_info.type) {
   case AMDGPU_INFO_VBIOS_SIZE:
      return give32(info, 0);
   case AMDGPU_INFO_VBIOS_INFO:
      memset(&v, 0, sizeof(v));
      return give(info, &v, sizeof(v));
   default:
      return -EINVAL;
   }
}

int ioctl_info(struct shim_file *file, void *arg)
{
   (void)file;
   const struct drm_amdgpu_info *info = arg;
   if (!info->return_size || !info->return_pointer)
      return -EINVAL;
   switch (info->query) {
   case AMDGPU_INFO_ACCEL_WORKING: return give32(info, 1);
   case AMDGPU_INFO_HW_IP_INFO: return hw_ip(info);
   case AMDGPU_INFO_HW_IP_COUNT:
      return info->query_hw_ip.type < AMDGPU_HW_IP_NUM
                ? give32(info, info->query_hw_ip.type < sizeof(ips) / sizeof(ips[0])) : -EINVAL;
   case AMDGPU_INFO_CRTC_FROM_ID: return -EINVAL; /* no display */
   case AMDGPU_INFO_TIMESTAMP: return give64(info, tgsiamd_model_clock(shim_model()));
   case AMDGPU_INFO_FW_VERSION: return firmware_version(info);
   case AMDGPU_INFO_NUM_BYTES_MOVED:
   case AMDGPU_INFO_NUM_EVICTIONS:
   case AMDGPU_INFO_NUM_VRAM_CPU_PAGE_FAULTS: return give64(info, 0);
   case AMDGPU_INFO_VRAM_USAGE:
   case AMDGPU_INFO_VIS_VRAM_USAGE: return usage_info(info, AMDGPU_GEM_DOMAIN_VRAM);
   case AMDGPU_INFO_GTT_USAGE: return usage_info(info, AMDGPU_GEM_DOMAIN_GTT);
   case AMDGPU_INFO_GDS_CONFIG: {
      const struct drm_amdgpu_info_gds gds = { .compute_partition_size = 0x10000, .gds_total_size = 0x10000,
                                               .gws_per_compute_partition = 64, .oa_per_compute_partition = 16 };
      return give(info, &gds, sizeof(gds));
   }
   case AMDGPU_INFO_VRAM_GTT: {
      const struct drm_amdgpu_info_vram_gtt sizes = { bo_vram_size(), bo_vram_size(), bo_gtt_size() };
      return give(info, &sizes, sizeof(sizes));
   }
   case AMDGPU_INFO_READ_MMR_REG: return read_registers(info);
   case AMDGPU_INFO_DEV_INFO: return device_info(info);
   case AMDGPU_INFO_MEMORY: return memory_info(info);
   case AMDGPU_INFO_VCE_CLOCK_TABLE: {
      static const struct drm_amdgpu_info_vce_clock_table none; /* no VCE on this chip */
      return give(info, &none, sizeof(none));
   }
   case AMDGPU_INFO_VBIOS: return vbios(info);
   case AMDGPU_INFO_NUM_HANDLES: return -EINVAL; /* no UVD on this chip */
   case AMDGPU_INFO_SENSOR: return sensor(info);
   case AMDGPU_INFO_VRAM_LOST_COUNTER: return give32(info, 0);
   case AMDGPU_INFO_RAS_ENABLED_FEATURES: return give64(info, 0);
   case AMDGPU_INFO_VIDEO_CAPS: {
      static const struct drm_amdgpu_info_video_caps none; /* the model has no video block */
      return info->video_cap.type <= AMDGPU_INFO_VIDEO_CAPS_ENCODE ? give(info, &none, sizeof(none)) : -EINVAL;
   }
   default:
      fprintf(stderr, "tgsiamd-model: INFO: unknown query 0x%x\n", info->query);
      return -EINVAL;
   }
}
