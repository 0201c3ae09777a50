/* SPDX-License-Identifier: MIT */
/* What NIR must look like for nir_to_tgsi to say the same in TGSI. */
#include "shader.h"

#include "compiler/nir/nir.h"
#include "compiler/nir/nir_builder.h"

/* TGSI's STORE has the image as its destination, and a destination has no
 * swizzle: a handle that lies in .zw of a constant or an input would become the
 * one in .xy. The result of an operation is a register that starts at .x; slots
 * of handles are 64-byte aligned, so this operation changes nothing. */
static bool
move_handle(nir_builder *b, nir_instr *instr, void *data)
{
   nir_intrinsic_instr *store;
   nir_ssa_def *handle;

   if (instr->type != nir_instr_type_intrinsic)
      return false;
   store = nir_instr_as_intrinsic(instr);
   if (store->intrinsic != nir_intrinsic_bindless_image_store)
      return false;
   b->cursor = nir_before_instr(instr);
   handle = nir_ssa_for_src(b, store->src[0], nir_src_num_components(store->src[0]));
   if (handle->bit_size == 64)
      handle = nir_iand(b, handle, nir_imm_int64(b, ~15ll));
   else
      handle = nir_iand(b, handle, nir_imm_ivec2(b, ~15, ~0));
   nir_instr_rewrite_src_ssa(instr, &store->src[0], handle);
   return true;
}

/* Bindless samplers have no unit, but would be declared as if they had one. */
static bool
is_bindless(nir_variable *var, void *data)
{
   return var->data.bindless;
}

static void
remove_bindless_variables(nir_shader *nir)
{
   const nir_remove_dead_variables_options options = {.can_remove_var = is_bindless};

   nir_remove_dead_derefs(nir);
   nir_remove_dead_variables(nir, nir_var_uniform | nir_var_image, &options);
}

/* NIR counts the vertex streams of an output's components from the output's first
 * one, nir_to_tgsi takes them as if counted from .x. */
static void
place_streams(nir_shader *nir)
{
   if (nir->info.stage != MESA_SHADER_GEOMETRY)
      return;
   nir_foreach_shader_out_variable(var, nir) {
      const unsigned stream = var->data.stream;
      unsigned packed = NIR_STREAM_PACKED;

      if (!stream || !var->data.location_frac || (stream & NIR_STREAM_PACKED))
         continue;
      for (unsigned c = var->data.location_frac; c < 4; c++)
         packed |= stream << (2 * c);
      var->data.stream = packed;
   }
}

/* From SPIR-V, arrays of blocks have an array as interface, from GLSL one block. */
static void
take_block_types(nir_shader *nir)
{
   nir_foreach_variable_with_modes(var, nir, nir_var_mem_ubo)
      var->interface_type = glsl_without_array(var->interface_type);
}

static bool
reads_lane_masks(const nir_shader *nir)
{
   static const gl_system_value masks[] = {
      SYSTEM_VALUE_SUBGROUP_EQ_MASK, SYSTEM_VALUE_SUBGROUP_GE_MASK, SYSTEM_VALUE_SUBGROUP_GT_MASK,
      SYSTEM_VALUE_SUBGROUP_LE_MASK, SYSTEM_VALUE_SUBGROUP_LT_MASK,
   };

   for (unsigned i = 0; i < ARRAY_SIZE(masks); i++) {
      if (BITSET_TEST(nir->info.system_values_read, masks[i]))
         return true;
   }
   return false;
}

void
tgsiamd_prepare_nir(struct nir_shader *nir)
{
   /* nir_to_tgsi takes only .x of 64-bit system values: masks of lanes are computed. */
   static const nir_lower_subgroups_options subgroups = {
      .subgroup_size = 64, .ballot_bit_size = 64, .ballot_components = 1, .lower_subgroup_masks = true,
   };

   if (reads_lane_masks(nir))
      nir_lower_subgroups(nir, &subgroups);
   if (nir->info.uses_bindless) {
      nir_shader_instructions_pass(nir, move_handle, nir_metadata_block_index | nir_metadata_dominance, NULL);
      remove_bindless_variables(nir);
   }
   place_streams(nir);
   take_block_types(nir);
}
