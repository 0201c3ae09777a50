/* SPDX-License-Identifier: MIT */
/* Several processes: buffers, sync objects and sync files pass between them
 * through a socket, each has an address space of its own, and the GPU orders
 * their uses of one buffer. The parent's GPU is asynchronous. */
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ioctl.h>

#include <linux/sync_file.h>

#include "../args.h"
#include "kernel_device.h"

#define WRITTEN_BY_PARENT 0x1111u
#define WRITTEN_BY_CHILD  0x2222u

enum { BUFFER, SYNCOBJ, SYNC_FILE, SECOND, NUM_FDS };

static int imported(int prime, struct buffer *b)
{
   struct amdgpu_bo_import_result import;
   if (amdgpu_bo_import(dev, amdgpu_bo_handle_type_dma_buf_fd, (uint32_t)prime, &import) || import.alloc_size != 8192)
      return 1;
   *b = buffer_mapped(import.buf_handle, import.alloc_size);
   return 0;
}

/* The parent has submitted a write to the buffer that waits for its gate. */
static int child(int sock)
{
   int fds[NUM_FDS];
   char byte = 0;
   uint32_t handle, first;
   struct buffer shared;
   if (receive_fds(sock, fds, NUM_FDS))
      return 1;
   amdgpu_context_handle ctx = context_new();
   struct buffer own[2] = { buffer_new(4096), buffer_new(4096) };
   if (imported(fds[BUFFER], &shared))
      return 2;
   /* all pend */
   bool busy = false;
   CHECK(amdgpu_bo_wait_for_idle(shared.bo, 0, &busy) == 0 && busy, "another process's job uses it");
   CHECK(drmSyncobjFDToHandle(fd, fds[SYNCOBJ], &handle) == 0, "import");
   CHECK(drmSyncobjWait(fd, &handle, 1, 0, 0, &first) == -ETIME, "its fence pends");
   uint32_t from_file, merged;
   drmSyncobjCreate(fd, 0, &from_file);
   CHECK(drmSyncobjImportSyncFile(fd, from_file, fds[SYNC_FILE]) == 0, "sync file");
   CHECK(drmSyncobjWait(fd, &from_file, 1, 0, 0, &first) == -ETIME, "it pends");
   struct sync_merge_data merge = { .name = "twice", .fd2 = fds[SYNC_FILE] };
   CHECK(ioctl(fds[SYNC_FILE], SYNC_IOC_MERGE, &merge) == 0, "merge");
   merged = (uint32_t)merge.fence;
   struct pollfd p = { (int)merged, POLLIN, 0 };
   CHECK(poll(&p, 1, 0) == 0, "the merged file pends");
   CHECK(shared.map[1] == 0, "nothing is written yet");
   /* no wait of ours: the kernel lets the copy wait for the write */
   uint64_t seq;
   struct buffer list[3] = { own[0], own[1], shared };
   unsigned n = copy_data(own[0].map, own[1].va, shared.va + 4);
   n += write_data(own[0].map + n, shared.va + 8, WRITTEN_BY_CHILD);
   write(sock, &byte, 1); /* the parent opens its gate a little later */
   CHECK(submit(ctx, &own[0], n, list, 3, NULL, &seq) == 0, "submit");
   CHECK(wait_seq(ctx, seq) == 0, "wait");
   CHECK(own[1].map[0] == WRITTEN_BY_PARENT, "the copy came before the write: 0x%x", own[1].map[0]);
   CHECK(drmSyncobjWait(fd, &handle, 1, INT64_MAX, 0, &first) == 0, "syncobj");
   CHECK(drmSyncobjWait(fd, &from_file, 1, INT64_MAX, 0, &first) == 0, "of the file");
   CHECK(poll(&p, 1, 2000) == 1 && p.revents == POLLIN, "the merged file polls");
   CHECK(amdgpu_bo_wait_for_idle(shared.bo, AMDGPU_TIMEOUT_INFINITE, &busy) == 0 && !busy, "idle");
   CHECK(drmSyncobjReset(fd, &handle, 1) == 0 && drmSyncobjSignal(fd, &handle, 1) == 0, "signal");
   /* a fault here is this process's own affair */
   amdgpu_context_handle guilty = context_new();
   n = write_data(own[0].map, 0x600000000000ull, 1);
   CHECK(submit(guilty, &own[0], n, own, 2, NULL, &seq) == 0 && wait_seq(guilty, seq) == -ECANCELED, "fault");
   write(sock, &byte, 1);
   return failures != 0;
}

static void test_two_processes(const char *self)
{
   int pair[2], fds[NUM_FDS], status = -1;
   char byte;
   uint32_t prime, out;
   uint64_t seq, flags = 9;
   amdgpu_context_handle ctx = context_new();
   struct buffer shared = buffer_new(8192), ib = buffer_new(4096), gate = buffer_new(4096);
   struct buffer list[3] = { ib, shared, gate };
   CHECK(amdgpu_bo_export(shared.bo, amdgpu_bo_handle_type_dma_buf_fd, &prime) == 0, "export");
   fds[BUFFER] = fds[SECOND] = (int)prime;
   drmSyncobjCreate(fd, 0, &out);
   struct drm_amdgpu_cs_chunk_sem sem = { out };
   struct drm_amdgpu_cs_chunk chunk = { AMDGPU_CHUNK_ID_SYNCOBJ_OUT, 1, (uintptr_t)&sem };
   socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
   const pid_t pid = fork();
   if (pid == 0) {
      char arg[16];
      snprintf(arg, sizeof(arg), "%d", pair[1]);
      setenv("TGSIAMD_MODEL", getenv("CHILD_MODEL"), 1);
      execl(self, self, "child", arg, NULL);
      _exit(99);
   }
   close(pair[1]);
   unsigned n = wait_mem(ib.map, gate.va, 1);
   n += write_data(ib.map + n, shared.va + 4, WRITTEN_BY_PARENT);
   CHECK(submit(ctx, &ib, n, list, 3, &chunk, &seq) == 0, "submit");
   CHECK(drmSyncobjExportSyncFile(fd, out, &fds[SYNC_FILE]) == 0, "sync file");
   CHECK(drmSyncobjHandleToFD(fd, out, &fds[SYNCOBJ]) == 0, "syncobj");
   send_fds(pair[0], fds, NUM_FDS);
   CHECK(read(pair[0], &byte, 1) == 1, "the child looked");
   usleep(30000);
   __atomic_store_n(gate.map, 1, __ATOMIC_RELEASE);
   CHECK(wait_seq(ctx, seq) == 0, "wait");
   CHECK(read(pair[0], &byte, 1) == 1, "the child is done");
   waitpid(pid, &status, 0);
   CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0, "child says %d", WEXITSTATUS(status));
   CHECK(shared.map[2] == WRITTEN_BY_CHILD, "the child's GPU wrote: 0x%x", shared.map[2]);
   CHECK(amdgpu_cs_query_reset_state2(ctx, &flags) == 0 && flags == 0, "the child's fault is not ours");
   /* a process that dies with work to do: nobody waits for it for ever */
   bool busy = true;
   CHECK(amdgpu_bo_wait_for_idle(shared.bo, AMDGPU_TIMEOUT_INFINITE, &busy) == 0 && !busy, "idle");
}

/* Dies with a job under way on the parent's buffer. */
static int dying(int sock)
{
   int fds[1];
   char byte = 0;
   struct buffer shared;
   uint64_t seq;
   if (receive_fds(sock, fds, 1) || imported(fds[0], &shared))
      return 1;
   struct buffer ib = buffer_new(4096), gate = buffer_new(4096);
   struct buffer list[3] = { ib, shared, gate };
   unsigned n = wait_mem(ib.map, gate.va, 1);
   n += write_data(ib.map + n, shared.va, 1);
   if (submit(context_new(), &ib, n, list, 3, NULL, &seq))
      return 2;
   write(sock, &byte, 1);
   pause();
   return 0;
}

static void test_death(const char *self)
{
   int pair[2], status;
   char byte;
   uint32_t prime;
   bool busy = false;
   struct buffer shared = buffer_new(8192);
   CHECK(amdgpu_bo_export(shared.bo, amdgpu_bo_handle_type_dma_buf_fd, &prime) == 0, "export");
   socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
   const pid_t pid = fork();
   if (pid == 0) {
      char arg[16];
      snprintf(arg, sizeof(arg), "%d", pair[1]);
      execl(self, self, "dying", arg, NULL);
      _exit(99);
   }
   close(pair[1]);
   send_fds(pair[0], (int *)&prime, 1);
   CHECK(read(pair[0], &byte, 1) == 1, "it has begun");
   CHECK(amdgpu_bo_wait_for_idle(shared.bo, 1000000, &busy) == 0 && busy, "it uses the buffer");
   kill(pid, SIGKILL);
   CHECK(amdgpu_bo_wait_for_idle(shared.bo, AMDGPU_TIMEOUT_INFINITE, &busy) == 0 && !busy, "not after its death");
   waitpid(pid, &status, 0);
}

/* fork() without exec: the child has the file, but not the parent's jobs. */
static void test_fork(void)
{
   amdgpu_context_handle ctx = context_new();
   struct buffer b[2] = { buffer_new(4096), buffer_new(4096) };
   uint64_t seq;
   int status = -1;
   const unsigned n = write_data(b[0].map, b[1].va, 5);
   CHECK(submit(ctx, &b[0], n, b, 2, NULL, &seq) == 0, "submit");
   const pid_t pid = fork();
   if (pid == 0) {
      int bad = wait_seq(ctx, seq) != 0;
      bad |= submit(ctx, &b[0], write_data(b[0].map, b[1].va + 4, 6), b, 2, NULL, &seq) != 0 || wait_seq(ctx, seq) != 0;
      _exit(bad || b[1].map[1] != 6);
   }
   waitpid(pid, &status, 0);
   CHECK(status == 0, "the child submits and waits: %d", status);
   CHECK(wait_seq(ctx, seq) == 0 && b[1].map[0] == 5, "the parent's job");
}

int main(int argc, char **argv)
{
   if (device_open())
      return 1;
   args_begin(argc, argv, 2, "\n\nArguments are how it starts itself, for processes that share buffers or die.");
   if (argc > 2)
      return strcmp(argv[1], "child") == 0 ? child(atoi(argv[2])) : dying(atoi(argv[2]));
   setenv("CHILD_MODEL", "", 1);
   test_two_processes(argv[0]);
   setenv("CHILD_MODEL", "delay=4", 1);
   test_two_processes(argv[0]);
   test_death(argv[0]);
   test_fork();
   printf("%u checks, %u failures\n", checks, failures);
   return failures != 0;
}
