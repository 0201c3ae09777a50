/* SPDX-License-Identifier: MIT */
#ifndef TGSIAMD_TGSI_CHECK_H
#define TGSIAMD_TGSI_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tgsi_token;

/* No file has registers at or above this. */
#define TGSIAMD_TGSI_MAX_REGISTER 16384u

/* True when Mesa's parser can walk the stream. Otherwise one sentence goes to
 * `err`. Reads header + BodySize tokens. */
bool tgsiamd_tgsi_check(const struct tgsi_token *tokens, char *err, size_t err_size);

#endif
