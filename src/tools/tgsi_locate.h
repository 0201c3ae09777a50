/* SPDX-License-Identifier: MIT */
/* Where a TGSI text stops making sense. Mesa's parser only says no. */
#ifndef TGSI_LOCATE_H
#define TGSI_LOCATE_H

#include <stddef.h>

/* Once before the parser is used: it compares words with lists of names, of
 * which some of Mesa's have holes (tgsi_strings.c). Not thread-safe. */
void tgsi_fill_names(void);

/* The line (from 1) of the first register index that TGSI's 16 bits cannot
 * hold or of a range that ends before it begins, 0 without one; the parser
 * would wrap the one silently and abort at the other. */
unsigned tgsi_locate_index(const char *text, char *why, size_t why_size);

/* For a text that tgsi_text_translate refuses: the number of the first line
 * (from 1) that it does not accept, 0 when it is none of them; `why` gets the
 * reason. */
unsigned tgsi_locate_error(const char *text, char *why, size_t why_size);

#endif
