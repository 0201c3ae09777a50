/* SPDX-License-Identifier: MIT */
/* Entry point of tgsiamd_dri.so: the DRI loaders call
 * __driDriverGetExtensions_<name of the file>. */
#include "../tgsiamd_target.h"
#include "target-helpers/sw_helper.h"
#include "GL/internal/dri_interface.h"

/* Defined by Mesa's DRI frontend; its header cannot be reached from outside Mesa. */
extern const __DRIextension *galliumdrm_driver_extensions[];

const __DRIextension **__driDriverGetExtensions_tgsiamd(void);

PUBLIC const __DRIextension **
__driDriverGetExtensions_tgsiamd(void)
{
   return galliumdrm_driver_extensions;
}
