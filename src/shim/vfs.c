/* SPDX-License-Identifier: MIT */
/* The device files that libdrm and the loaders look at: /dev/dri and the
 * sysfs folders of one render node on one PCI function. */
#define _GNU_SOURCE
#include "shim.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#define PCI_DIR  "/sys/devices/pci0000:00/0000:05:00.0"
#define CHAR_DIR "/sys/dev/char/226:128"

static char text_device[16], text_uevent[256], text_config[64];

static struct vfs_node nodes[] = {
   { "/dev/dri", VFS_DIR },
   { "/dev/dri/renderD128", VFS_RENDER_NODE },
   { CHAR_DIR, VFS_LINK, PCI_DIR "/drm/renderD128" },
   { "/sys/class/drm", VFS_DIR },
   { "/sys/class/drm/renderD128", VFS_LINK, PCI_DIR "/drm/renderD128" },
   { PCI_DIR, VFS_DIR },
   { PCI_DIR "/drm", VFS_DIR },
   { PCI_DIR "/drm/renderD128", VFS_DIR },
   { PCI_DIR "/drm/renderD128/device", VFS_LINK, PCI_DIR },
   { PCI_DIR "/drm/renderD128/subsystem", VFS_LINK, "/sys/class/drm" },
   { PCI_DIR "/drm/renderD128/dev", VFS_FILE, "226:128\n" },
   { PCI_DIR "/drm/renderD128/uevent", VFS_FILE,
     "MAJOR=226\nMINOR=128\nDEVNAME=dri/renderD128\nDEVTYPE=drm_minor\n" },
   { PCI_DIR "/subsystem", VFS_LINK, "/sys/bus/pci" },
   { PCI_DIR "/driver", VFS_LINK, "/sys/bus/pci/drivers/amdgpu" },
   { PCI_DIR "/vendor", VFS_FILE, "0x1002\n" },
   { PCI_DIR "/device", VFS_FILE, text_device },
   { PCI_DIR "/subsystem_vendor", VFS_FILE, "0x1002\n" },
   { PCI_DIR "/subsystem_device", VFS_FILE, text_device },
   { PCI_DIR "/revision", VFS_FILE, "0xc6\n" },
   { PCI_DIR "/class", VFS_FILE, "0x030000\n" },
   { PCI_DIR "/uevent", VFS_FILE, text_uevent },
   { PCI_DIR "/config", VFS_FILE, text_config, sizeof(text_config) },
   { "/sys/bus/pci/devices/0000:05:00.0", VFS_LINK, PCI_DIR },
};
#define NUM_NODES (sizeof(nodes) / sizeof(nodes[0]))

static void fill_texts(void)
{
   static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
   static bool done;
   pthread_mutex_lock(&lock);
   if (!done) {
      const unsigned device = shim_chip()->pci_device;
      snprintf(text_device, sizeof(text_device), "0x%04x\n", device);
      snprintf(text_uevent, sizeof(text_uevent),
               "DRIVER=amdgpu\nPCI_CLASS=30000\nPCI_ID=1002:%04X\nPCI_SUBSYS_ID=1002:%04X\n"
               "PCI_SLOT_NAME=0000:05:00.0\n", device, device);
      const uint8_t head[] = { 0x02, 0x10, (uint8_t)device, (uint8_t)(device >> 8) };
      memcpy(text_config, head, sizeof(head));
      text_config[8] = (char)0xc6;       /* revision */
      text_config[11] = 0x03;            /* class: display controller */
      memcpy(text_config + 0x2c, head, sizeof(head)); /* subsystem ids */
      for (unsigned i = 0; i < NUM_NODES; i++) {
         if (nodes[i].kind == VFS_FILE && !nodes[i].size)
            nodes[i].size = strlen(nodes[i].data);
      }
      done = true;
   }
   pthread_mutex_unlock(&lock);
}

static const struct vfs_node *find(const char *path, size_t len)
{
   for (unsigned i = 0; i < NUM_NODES; i++) {
      if (strncmp(nodes[i].path, path, len) == 0 && nodes[i].path[len] == 0)
         return &nodes[i];
   }
   return NULL;
}

/* Drops "//", "/./" and "x/.."; false when it does not fit. */
static bool normalize(const char *path, char out[PATH_MAX])
{
   size_t n = 0;
   if (path[0] != '/' || strlen(path) >= PATH_MAX)
      return false;
   while (*path) {
      while (*path == '/')
         path++;
      const size_t len = strcspn(path, "/");
      if (len == 2 && path[0] == '.' && path[1] == '.') {
         while (n && out[--n] != '/')
            ;
      } else if (len && !(len == 1 && path[0] == '.')) {
         out[n++] = '/';
         memcpy(out + n, path, len);
         n += len;
      }
      path += len;
   }
   out[n] = 0;
   return true;
}

const struct vfs_node *vfs_lookup(const char *path, bool follow, bool *missing)
{
   char cur[PATH_MAX], next[PATH_MAX + 256];
   *missing = false;
   /* Nearly every path of a process ends here. */
   if (!path || (strncmp(path, "/dev/dri", 8) != 0 && strncmp(path, "/sys/", 5) != 0))
      return NULL;
   if (!normalize(path, cur))
      return NULL;
   fill_texts();
   for (unsigned hops = 0; hops < 8; hops++) {
      /* the first link on the way, if any, is replaced by its target */
      bool replaced = false, inside = false;
      for (size_t i = 1;; i++) {
         if (cur[i] != '/' && cur[i] != 0)
            continue;
         const struct vfs_node *node = find(cur, i);
         const bool last = cur[i] == 0;
         if (node && last && (node->kind != VFS_LINK || !follow))
            return node;
         if (node && node->kind == VFS_LINK) {
            snprintf(next, sizeof(next), "%s%s", node->data, cur + i);
            if (!normalize(next, cur))
               return NULL;
            replaced = true;
            break;
         }
         inside |= node != NULL;
         if (last)
            break;
      }
      if (!replaced) {
         *missing = inside;
         return NULL;
      }
   }
   return NULL;
}

const struct vfs_node *vfs_child(const struct vfs_node *dir, unsigned n)
{
   const size_t len = strlen(dir->path);
   for (unsigned i = 0; i < NUM_NODES; i++) {
      const char *p = nodes[i].path;
      if (strncmp(p, dir->path, len) == 0 && p[len] == '/' && !strchr(p + len + 1, '/') && n-- == 0)
         return &nodes[i];
   }
   return NULL;
}

const char *vfs_name(const struct vfs_node *node)
{
   return strrchr(node->path, '/') + 1;
}
