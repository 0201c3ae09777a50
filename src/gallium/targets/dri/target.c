/* SPDX-License-Identifier: MIT */
/* Entry point of tgsiamd_dri.so: the DRI loaders call
 * __driDriverGetExtensions_<name of the file>. */
#include "../tgsiamd_target.h"
#include "target-helpers/sw_helper.h"
#include "dri_screen.h"

const __DRIextension **__driDriverGetExtensions_tgsiamd(void);

PUBLIC const __DRIextension **
__driDriverGetExtensions_tgsiamd(void)
{
   return galliumdrm_driver_extensions;
}
