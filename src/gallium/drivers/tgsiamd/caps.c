/* SPDX-License-Identifier: MIT */
/* What the driver can do. A cap is here only when it is not Mesa's default;
 * Mesa lowers into shaders what is answered with 0 (alpha test, two-sided
 * colours, user clip planes, colour clamping). */
#include "screen.h"

#include "c11/threads.h"
#include "compiler/nir/nir.h"
#include "nir/nir_to_tgsi.h"
#include "pipe/p_state.h"
#include "util/u_math.h"
#include "util/u_screen.h"

#define MAX_TEXTURE_LOG2 14

static int
get_param(struct pipe_screen *pscreen, enum pipe_cap param)
{
   struct tgsiamd_screen *screen = tgsiamd_screen(pscreen);

   switch (param) {
   case PIPE_CAP_ACCELERATED:
   case PIPE_CAP_NPOT_TEXTURES:
   case PIPE_CAP_ANISOTROPIC_FILTER:
   case PIPE_CAP_OCCLUSION_QUERY:
   case PIPE_CAP_QUERY_TIME_ELAPSED:
   case PIPE_CAP_QUERY_TIMESTAMP:
   case PIPE_CAP_TEXTURE_SWIZZLE:
   case PIPE_CAP_TEXTURE_MIRROR_CLAMP:
   case PIPE_CAP_TEXTURE_MIRROR_CLAMP_TO_EDGE:
   case PIPE_CAP_BLEND_EQUATION_SEPARATE:
   case PIPE_CAP_FRAGMENT_SHADER_TEXTURE_LOD:
   case PIPE_CAP_FRAGMENT_SHADER_DERIVATIVES:
   case PIPE_CAP_PRIMITIVE_RESTART:
   case PIPE_CAP_PRIMITIVE_RESTART_FIXED_INDEX:
   case PIPE_CAP_INDEP_BLEND_ENABLE:
   case PIPE_CAP_INDEP_BLEND_FUNC:
   case PIPE_CAP_FS_COORD_ORIGIN_UPPER_LEFT:
   case PIPE_CAP_FS_COORD_PIXEL_CENTER_HALF_INTEGER:
   case PIPE_CAP_FS_COORD_PIXEL_CENTER_INTEGER:
   case PIPE_CAP_FS_FACE_IS_INTEGER_SYSVAL: /* as an input it would be 1.0, which is no truth value for integers */
   case PIPE_CAP_DEPTH_CLIP_DISABLE:
   case PIPE_CAP_DEPTH_CLIP_DISABLE_SEPARATE:
   case PIPE_CAP_VS_INSTANCEID:
   case PIPE_CAP_VS_LAYER_VIEWPORT:
   case PIPE_CAP_SHADER_STENCIL_EXPORT:
   case PIPE_CAP_VERTEX_ELEMENT_INSTANCE_DIVISOR:
   case PIPE_CAP_START_INSTANCE:
   case PIPE_CAP_SEAMLESS_CUBE_MAP:
   case PIPE_CAP_SEAMLESS_CUBE_MAP_PER_TEXTURE:
   case PIPE_CAP_CONDITIONAL_RENDER:
   case PIPE_CAP_CONDITIONAL_RENDER_INVERTED:
   case PIPE_CAP_TEXTURE_BARRIER:
   case PIPE_CAP_VERTEX_COLOR_UNCLAMPED:
   case PIPE_CAP_TGSI_TEXCOORD:
   case PIPE_CAP_MIXED_FRAMEBUFFER_SIZES:
   case PIPE_CAP_MIXED_COLOR_DEPTH_BITS:
   case PIPE_CAP_CLIP_HALFZ:
   case PIPE_CAP_POLYGON_OFFSET_CLAMP:
   case PIPE_CAP_POLYGON_OFFSET_UNITS_UNSCALED:
   case PIPE_CAP_TEXTURE_FLOAT_LINEAR:
   case PIPE_CAP_TEXTURE_HALF_FLOAT_LINEAR:
   case PIPE_CAP_INVALIDATE_BUFFER:
   case PIPE_CAP_QUERY_MEMORY_INFO:
   case PIPE_CAP_DEVICE_RESET_STATUS_QUERY:
   case PIPE_CAP_SAMPLER_VIEW_TARGET:
   case PIPE_CAP_QUADS_FOLLOW_PROVOKING_VERTEX_CONVENTION:
   case PIPE_CAP_RESOURCE_FROM_USER_MEMORY:
   case PIPE_CAP_SHAREABLE_SHADERS:
   case PIPE_CAP_BINDLESS_TEXTURE:
      return 1;
   case PIPE_CAP_COMPUTE:
   case PIPE_CAP_DOUBLES:
   case PIPE_CAP_IMAGE_STORE_FORMATTED:
   case PIPE_CAP_IMAGE_LOAD_FORMATTED:
   case PIPE_CAP_DRAW_INDIRECT:
   case PIPE_CAP_MULTI_DRAW_INDIRECT:
   case PIPE_CAP_MULTI_DRAW_INDIRECT_PARAMS:
   case PIPE_CAP_STREAM_OUTPUT_PAUSE_RESUME:
   case PIPE_CAP_STREAM_OUTPUT_INTERLEAVE_BUFFERS:
   case PIPE_CAP_TEXTURE_MULTISAMPLE:
   case PIPE_CAP_SAMPLE_SHADING:
   case PIPE_CAP_TEXTURE_BUFFER_OBJECTS:
   case PIPE_CAP_CUBE_MAP_ARRAY:
   case PIPE_CAP_TEXTURE_QUERY_LOD:
   case PIPE_CAP_FRAMEBUFFER_NO_ATTACHMENT:
   case PIPE_CAP_FS_FINE_DERIVATIVE:
   case PIPE_CAP_ALPHA_TO_COVERAGE_DITHER_CONTROL:
   case PIPE_CAP_CLEAR_TEXTURE:
   case PIPE_CAP_COMPUTE_GRID_INFO_LAST_BLOCK:
   case PIPE_CAP_CULL_DISTANCE:
   case PIPE_CAP_DEMOTE_TO_HELPER_INVOCATION:
   case PIPE_CAP_DEPTH_BOUNDS_TEST:
   case PIPE_CAP_DRAW_PARAMETERS:
   case PIPE_CAP_GL_SPIRV:
   case PIPE_CAP_IMAGE_ATOMIC_FLOAT_ADD:
   case PIPE_CAP_INT64:
   case PIPE_CAP_INT64_DIVMOD:
   case PIPE_CAP_QUERY_PIPELINE_STATISTICS:
   case PIPE_CAP_QUERY_SO_OVERFLOW:
   case PIPE_CAP_ROBUST_BUFFER_ACCESS_BEHAVIOR:
   case PIPE_CAP_SHADER_ARRAY_COMPONENTS:
   case PIPE_CAP_SHADER_BALLOT:
   case PIPE_CAP_SHADER_CLOCK:
   case PIPE_CAP_SHADER_GROUP_VOTE:
   case PIPE_CAP_SHADER_PACK_HALF_FLOAT:
   case PIPE_CAP_TES_LAYER_VIEWPORT:
   case PIPE_CAP_TEXTURE_QUERY_SAMPLES:
   case PIPE_CAP_TEXTURE_SHADOW_LOD:
   case PIPE_CAP_TGSI_TEX_TXF_LZ:
   case PIPE_CAP_COPY_BETWEEN_COMPRESSED_AND_PLAIN_FORMATS:
      return 1;
   case PIPE_CAP_NATIVE_FENCE_FD:
      return screen->info->has_syncobj && screen->info->has_fence_to_handle;
   case PIPE_CAP_UMA:
      return !screen->info->has_dedicated_vram;

   /* Lowered by Mesa. */
   case PIPE_CAP_ALPHA_TEST:
   case PIPE_CAP_TWO_SIDED_COLOR:
   case PIPE_CAP_CLIP_PLANES:
   case PIPE_CAP_VERTEX_COLOR_CLAMPED:
   case PIPE_CAP_FRAGMENT_COLOR_CLAMPED:
   case PIPE_CAP_USER_VERTEX_BUFFERS:
   /* Mesa's shader for GL_SELECT only works with dword-packed uniforms, which
    * nir_to_tgsi does not make: the CPU does it. */
   case PIPE_CAP_HARDWARE_GL_SELECT:
   /* nir_to_tgsi wants units, not variables. */
   case PIPE_CAP_NIR_IMAGES_AS_DEREF:
   case PIPE_CAP_NIR_SAMPLERS_AS_DEREF:
      return 0;

   case PIPE_CAP_GLSL_FEATURE_LEVEL:
   case PIPE_CAP_GLSL_FEATURE_LEVEL_COMPATIBILITY:
      return 460;
   case PIPE_CAP_ESSL_FEATURE_LEVEL:
      return 320;
   case PIPE_CAP_MAX_STREAM_OUTPUT_BUFFERS:
      return 4;
   case PIPE_CAP_MAX_WINDOW_RECTANGLES:
      return TGSIAMD_MAX_WINDOW_RECTS;
   case PIPE_CAP_MAX_STREAM_OUTPUT_SEPARATE_COMPONENTS:
   case PIPE_CAP_MAX_STREAM_OUTPUT_INTERLEAVED_COMPONENTS:
      return 32 * 4;
   case PIPE_CAP_TEXTURE_BUFFER_OFFSET_ALIGNMENT:
      return 4;
   case PIPE_CAP_MAX_TEXEL_BUFFER_ELEMENTS_UINT:
      return 1u << 27;
   case PIPE_CAP_MAX_TEXTURE_GATHER_COMPONENTS:
      return 4;
   case PIPE_CAP_MIN_TEXTURE_GATHER_OFFSET:
      return -32;
   case PIPE_CAP_MAX_TEXTURE_GATHER_OFFSET:
      return 31;
   case PIPE_CAP_MAX_RENDER_TARGETS:
   case PIPE_CAP_FBFETCH:
      return 8;
   case PIPE_CAP_MAX_DUAL_SOURCE_RENDER_TARGETS:
      return 1;
   case PIPE_CAP_MAX_TEXTURE_2D_SIZE:
      return 1 << MAX_TEXTURE_LOG2;
   case PIPE_CAP_MAX_TEXTURE_3D_LEVELS:
      return 12;
   case PIPE_CAP_MAX_TEXTURE_CUBE_LEVELS:
      return MAX_TEXTURE_LOG2 + 1;
   case PIPE_CAP_MAX_TEXTURE_ARRAY_LAYERS:
      return 2048;
   case PIPE_CAP_MIN_TEXEL_OFFSET:
      return -32;
   case PIPE_CAP_MAX_TEXEL_OFFSET:
      return 31;
   case PIPE_CAP_CONSTANT_BUFFER_OFFSET_ALIGNMENT:
   case PIPE_CAP_SHADER_BUFFER_OFFSET_ALIGNMENT:
      return 4;
   case PIPE_CAP_TEXTURE_BORDER_COLOR_QUIRK:
      return 0;
   case PIPE_CAP_MAX_VARYINGS:
      return 32;
   case PIPE_CAP_MAX_VIEWPORTS:
      return 16;
   case PIPE_CAP_MAX_GEOMETRY_OUTPUT_VERTICES:
      return 256;
   case PIPE_CAP_MAX_GEOMETRY_TOTAL_OUTPUT_COMPONENTS:
      return 4095;
   case PIPE_CAP_MAX_GS_INVOCATIONS:
      return 32;
   case PIPE_CAP_MAX_VERTEX_STREAMS:
      return 4;
   case PIPE_CAP_MAX_VERTEX_ATTRIB_STRIDE:
      return 2048;
   case PIPE_CAP_RASTERIZER_SUBPIXEL_BITS:
   case PIPE_CAP_VIEWPORT_SUBPIXEL_BITS:
      return 8;
   case PIPE_CAP_VENDOR_ID:
      return 0x1002;
   case PIPE_CAP_DEVICE_ID:
      return screen->info->pci_id;
   case PIPE_CAP_PCI_GROUP:
      return screen->info->pci_domain;
   case PIPE_CAP_PCI_BUS:
      return screen->info->pci_bus;
   case PIPE_CAP_PCI_DEVICE:
      return screen->info->pci_dev;
   case PIPE_CAP_PCI_FUNCTION:
      return screen->info->pci_func;
   case PIPE_CAP_VIDEO_MEMORY:
      return screen->info->vram_size_kb >> 10;
   case PIPE_CAP_TEXTURE_TRANSFER_MODES:
      return PIPE_TEXTURE_TRANSFER_BLIT;
   default:
      return u_pipe_screen_get_param_defaults(pscreen, param);
   }
}

/* Limits of compute grids. 64-bit values but for those that say otherwise. */
static int
get_compute_param(struct pipe_screen *pscreen, enum pipe_shader_ir ir, enum pipe_compute_cap param, void *ret)
{
   struct tgsiamd_screen *screen = tgsiamd_screen(pscreen);
   const uint64_t threads = 1024;

#define RETURN_U64(...) \
   do { \
      const uint64_t values[] = {__VA_ARGS__}; \
      if (ret) \
         memcpy(ret, values, sizeof(values)); \
      return sizeof(values); \
   } while (0)
#define RETURN_U32(value) \
   do { \
      if (ret) \
         *(uint32_t *)ret = (value); \
      return sizeof(uint32_t); \
   } while (0)

   switch (param) {
   case PIPE_COMPUTE_CAP_ADDRESS_BITS:
      RETURN_U32(32); /* TGSI's are; MEMORY GLOBAL is a window */
   case PIPE_COMPUTE_CAP_GRID_DIMENSION:
      RETURN_U64(3);
   case PIPE_COMPUTE_CAP_MAX_GRID_SIZE:
      RETURN_U64(UINT32_MAX, UINT16_MAX, UINT16_MAX);
   case PIPE_COMPUTE_CAP_MAX_BLOCK_SIZE:
      RETURN_U64(threads, threads, threads);
   case PIPE_COMPUTE_CAP_MAX_THREADS_PER_BLOCK:
   case PIPE_COMPUTE_CAP_MAX_VARIABLE_THREADS_PER_BLOCK:
      RETURN_U64(threads);
   case PIPE_COMPUTE_CAP_MAX_GLOBAL_SIZE:
   case PIPE_COMPUTE_CAP_MAX_MEM_ALLOC_SIZE:
      RETURN_U64(screen->info->max_heap_size_kb * 1024ull / 4);
   case PIPE_COMPUTE_CAP_MAX_LOCAL_SIZE:
      RETURN_U64(32 * 1024); /* of the 64 KiB so that two groups fit */
   case PIPE_COMPUTE_CAP_MAX_PRIVATE_SIZE:
      RETURN_U64(64 * 1024);
   case PIPE_COMPUTE_CAP_MAX_INPUT_SIZE:
      RETURN_U64(1024);
   case PIPE_COMPUTE_CAP_MAX_CLOCK_FREQUENCY:
      RETURN_U32(screen->info->max_gpu_freq_mhz);
   case PIPE_COMPUTE_CAP_MAX_COMPUTE_UNITS:
      RETURN_U32(screen->info->num_cu);
   case PIPE_COMPUTE_CAP_SUBGROUP_SIZE:
      RETURN_U32(64);
   case PIPE_COMPUTE_CAP_IMAGES_SUPPORTED:
      RETURN_U32(1);
   case PIPE_COMPUTE_CAP_IR_TARGET:
      break;
   }
   return 0;
#undef RETURN_U64
#undef RETURN_U32
}

static float
get_paramf(struct pipe_screen *pscreen, enum pipe_capf param)
{
   switch (param) {
   case PIPE_CAPF_MIN_LINE_WIDTH:
   case PIPE_CAPF_MIN_LINE_WIDTH_AA:
   case PIPE_CAPF_MIN_POINT_SIZE:
   case PIPE_CAPF_MIN_POINT_SIZE_AA:
      return 1;
   case PIPE_CAPF_POINT_SIZE_GRANULARITY:
   case PIPE_CAPF_LINE_WIDTH_GRANULARITY:
      return 0.1;
   case PIPE_CAPF_MAX_LINE_WIDTH:
   case PIPE_CAPF_MAX_LINE_WIDTH_AA:
   case PIPE_CAPF_MAX_POINT_SIZE:
   case PIPE_CAPF_MAX_POINT_SIZE_AA:
      return 2048;
   case PIPE_CAPF_MAX_TEXTURE_ANISOTROPY:
      return 16;
   case PIPE_CAPF_MAX_TEXTURE_LOD_BIAS:
      return 16;
   default:
      return 0;
   }
}

static int
get_shader_param(struct pipe_screen *pscreen, enum pipe_shader_type stage, enum pipe_shader_cap param)
{
   const bool counters = tgsiamd_screen(pscreen)->debug & DBG_COUNTERS;

   if (stage != PIPE_SHADER_VERTEX && stage != PIPE_SHADER_GEOMETRY && stage != PIPE_SHADER_FRAGMENT &&
       stage != PIPE_SHADER_COMPUTE)
      return 0;

   switch (param) {
   case PIPE_SHADER_CAP_MAX_INSTRUCTIONS:
   case PIPE_SHADER_CAP_MAX_ALU_INSTRUCTIONS:
   case PIPE_SHADER_CAP_MAX_TEX_INSTRUCTIONS:
   case PIPE_SHADER_CAP_MAX_TEX_INDIRECTIONS:
   case PIPE_SHADER_CAP_MAX_CONTROL_FLOW_DEPTH:
      return 16384;
   case PIPE_SHADER_CAP_MAX_INPUTS:
      return stage == PIPE_SHADER_VERTEX ? TGSIAMD_MAX_VERTEX_ELEMENTS : 32;
   case PIPE_SHADER_CAP_MAX_OUTPUTS:
      return stage == PIPE_SHADER_FRAGMENT ? 8 : 32;
   case PIPE_SHADER_CAP_MAX_TEMPS:
      return 256;
   case PIPE_SHADER_CAP_MAX_CONST_BUFFER0_SIZE:
      return 1 << 16;
   case PIPE_SHADER_CAP_MAX_CONST_BUFFERS:
      return TGSIAMD_MAX_CONST_BUFFERS;
   case PIPE_SHADER_CAP_MAX_TEXTURE_SAMPLERS:
   case PIPE_SHADER_CAP_MAX_SAMPLER_VIEWS:
      return TGSIAMD_MAX_SAMPLERS;
   /* Without counters of their own Mesa takes half of the shader buffers for them, which
    * are just as fast; with them it has no room for more than the other half. */
   case PIPE_SHADER_CAP_MAX_SHADER_BUFFERS:
      return counters ? TGSIAMD_MAX_SHADER_BUFFERS / 2 : TGSIAMD_MAX_SHADER_BUFFERS;
   case PIPE_SHADER_CAP_MAX_HW_ATOMIC_COUNTERS:
      return counters ? 4096 : 0;
   case PIPE_SHADER_CAP_MAX_HW_ATOMIC_COUNTER_BUFFERS:
      return counters ? 8 : 0;
   case PIPE_SHADER_CAP_MAX_SHADER_IMAGES:
      return TGSIAMD_MAX_IMAGES;
   case PIPE_SHADER_CAP_PREFERRED_IR:
      return tgsiamd_screen(pscreen)->preferred_ir;
   case PIPE_SHADER_CAP_SUPPORTED_IRS:
      return 1 << PIPE_SHADER_IR_TGSI | 1 << PIPE_SHADER_IR_NIR;
   case PIPE_SHADER_CAP_CONT_SUPPORTED:
   case PIPE_SHADER_CAP_INDIRECT_TEMP_ADDR:
   case PIPE_SHADER_CAP_INDIRECT_CONST_ADDR:
   case PIPE_SHADER_CAP_INTEGERS:
   case PIPE_SHADER_CAP_TGSI_SQRT_SUPPORTED:
   case PIPE_SHADER_CAP_DROUND_SUPPORTED:
   case PIPE_SHADER_CAP_DFRACEXP_DLDEXP_SUPPORTED:
   case PIPE_SHADER_CAP_LDEXP_SUPPORTED:
   case PIPE_SHADER_CAP_TGSI_ANY_INOUT_DECL_RANGE:
      return 1;
   default:
      return 0;
   }
}

/* Loops of known length are unrolled: their loads then wait together, not one
 * after the other. */
#define MAX_UNROLLED 64

static struct nir_shader_compiler_options nir_options;
static once_flag nir_options_once = ONCE_FLAG_INIT;

static bool
never(const struct nir_instr *instr, const void *data)
{
   return false;
}

static void
init_nir_options(void)
{
   nir_options = *(const struct nir_shader_compiler_options *)
      nir_to_tgsi_get_compiler_options(NULL, PIPE_SHADER_IR_NIR, PIPE_SHADER_FRAGMENT);
   /* Inputs and outputs are linked component by component, so that constants
    * move into the pixel shader and what nobody reads goes; arithmetic stays in
    * vectors. */
   nir_options.lower_to_scalar = true;
   nir_options.lower_to_scalar_filter = never;
   nir_options.vectorize_io = true;
   nir_options.max_unroll_iterations = MAX_UNROLLED;
   nir_options.max_unroll_iterations_aggressive = MAX_UNROLLED;
}

static const void *
get_compiler_options(struct pipe_screen *pscreen, enum pipe_shader_ir ir, enum pipe_shader_type stage)
{
   call_once(&nir_options_once, init_nir_options);
   return &nir_options;
}

static const char *
get_name(struct pipe_screen *pscreen)
{
   return tgsiamd_screen(pscreen)->name;
}

static const char *
get_vendor(struct pipe_screen *pscreen)
{
   return "tgsiamd";
}

static const char *
get_device_vendor(struct pipe_screen *pscreen)
{
   return "AMD";
}

static uint64_t
get_timestamp(struct pipe_screen *pscreen)
{
   return u_default_get_timestamp(pscreen);
}

static void
query_memory_info(struct pipe_screen *pscreen, struct pipe_memory_info *info)
{
   struct tgsiamd_memory_usage usage;

   tgsiamd_device_memory(tgsiamd_screen(pscreen)->dev, &usage);
   info->total_device_memory = usage.vram_total / 1024;
   info->avail_device_memory = (usage.vram_total - MIN2(usage.vram_used, usage.vram_total)) / 1024;
   info->total_staging_memory = usage.gtt_total / 1024;
   info->avail_staging_memory = (usage.gtt_total - MIN2(usage.gtt_used, usage.gtt_total)) / 1024;
   info->device_memory_evicted = 0;
   info->nr_device_memory_evictions = 0;
}

void
tgsiamd_init_caps(struct tgsiamd_screen *screen)
{
   screen->base.get_param = get_param;
   screen->base.get_paramf = get_paramf;
   screen->base.get_compute_param = get_compute_param;
   screen->base.get_shader_param = get_shader_param;
   screen->base.get_name = get_name;
   screen->base.get_vendor = get_vendor;
   screen->base.get_device_vendor = get_device_vendor;
   screen->base.get_timestamp = get_timestamp;
   screen->base.query_memory_info = query_memory_info;
   screen->base.get_compiler_options = get_compiler_options;
   screen->base.is_format_supported = tgsiamd_is_format_supported;
}
