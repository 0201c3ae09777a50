/* SPDX-License-Identifier: MIT */
/* TGSI text to tokens, with what Mesa's reader of text does not know: the image
 * target of ATOMFADD, ATOMINC_WRAP and ATOMDEC_WRAP. */
#ifndef TGSIAMD_TEST_TRANSLATE_TEXT_H
#define TGSIAMD_TEST_TRANSLATE_TEXT_H

#include <stdbool.h>

struct tgsi_token;
/* Notes the opcodes of a program that ran and gave what it should, in the file
 * that TGSIAMD_OPCODE_LOG names (coverage.py). */
void log_opcodes(const struct tgsi_token *tokens);
bool translate_text(const char *text, struct tgsi_token *tokens, unsigned num);

#endif
