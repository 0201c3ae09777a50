/* SPDX-License-Identifier: MIT */
/* TGSI text to tokens, with what Mesa's reader of text does not know: the image
 * target of ATOMFADD, ATOMINC_WRAP and ATOMDEC_WRAP. */
#ifndef TGSIAMD_TEST_TRANSLATE_TEXT_H
#define TGSIAMD_TEST_TRANSLATE_TEXT_H

#include <stdbool.h>

struct tgsi_token;
bool translate_text(const char *text, struct tgsi_token *tokens, unsigned num);

#endif
