/* SPDX-License-Identifier: MIT */
/* A reader for the JSON that tgsiamd-exec takes: values as a tree. */
#ifndef EXEC_JSON_H
#define EXEC_JSON_H

#include <stddef.h>

enum json_kind { JSON_NULL, JSON_BOOL, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT };

struct json {
   enum json_kind kind;
   double number;       /* also 0 or 1 for JSON_BOOL */
   char *string;
   char *key;           /* name inside an object */
   struct json *child, *next;
};

/* NULL on a syntax error; then *why and *at (byte offset) say what and where. */
struct json *json_parse(const char *text, const char **why, size_t *at);
void json_free(struct json *j);
/* Member of an object, NULL when absent. */
const struct json *json_get(const struct json *object, const char *key);

#endif
