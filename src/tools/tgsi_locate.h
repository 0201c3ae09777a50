/* SPDX-License-Identifier: MIT */
/* Where a TGSI text stops making sense. Mesa's parser only says no. */
#ifndef TGSI_LOCATE_H
#define TGSI_LOCATE_H

#include <stddef.h>

/* The line (from 1) of the first register index that TGSI's 16 bits cannot
 * hold, 0 without one; the parser would wrap it silently. */
unsigned tgsi_locate_index(const char *text, char *why, size_t why_size);

/* For a text that tgsi_text_translate refuses: the number of the first line
 * (from 1) that it does not accept, 0 when it is none of them; `why` gets the
 * reason. */
unsigned tgsi_locate_error(const char *text, char *why, size_t why_size);

#endif
