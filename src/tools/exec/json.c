/* SPDX-License-Identifier: MIT */
/* See json.h. RFC 8259; a \\u escape above 7f becomes '?', no key or word has one. */
#include "json.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define MAX_DEPTH 32

struct reader {
   const char *start, *p;
   const char *why;
};

static struct json *value(struct reader *r, unsigned depth);

static void skip(struct reader *r)
{
   while (*r->p == ' ' || *r->p == '\t' || *r->p == '\n' || *r->p == '\r')
      r->p++;
}

static char *string(struct reader *r)
{
   const char *end = r->p + 1;
   while (*end && *end != '"')
      end += *end == '\\' && end[1] ? 2 : 1;
   if (!*end) {
      r->why = "string without end";
      return NULL;
   }
   char *out = malloc((size_t)(end - r->p)), *o = out;
   for (const char *s = r->p + 1; out && s < end; s++) {
      if ((unsigned char)*s < 32)
         r->why = "control character in a string";
      if (*s != '\\') {
         *o++ = *s;
         continue;
      }
      s++;
      switch (*s) {
      case 'n': *o++ = '\n'; break;
      case 't': *o++ = '\t'; break;
      case 'r': *o++ = '\r'; break;
      case 'b': *o++ = '\b'; break;
      case 'f': *o++ = '\f'; break;
      case 'u': {
         char hex[5] = {0};
         for (unsigned n = 0; n < 4 && s + 1 < end; n++)
            hex[n] = *++s;
         unsigned long v = strtoul(hex, NULL, 16);
         if (strspn(hex, "0123456789abcdefABCDEF") != 4 || v == 0)
            r->why = "four hexadecimal digits expected, not all 0";
         *o++ = v < 0x80 ? (char)v : '?';
         break;
      }
      case '"': case '\\': case '/': *o++ = *s; break;
      default: r->why = "no such escape"; break;
      }
   }
   if (out && !r->why) {
      *o = 0;
      r->p = end + 1;
      return out;
   }
   free(out);
   return NULL;
}

static bool members(struct reader *r, struct json *j, unsigned depth, char close)
{
   struct json **tail = &j->child;
   r->p++;
   skip(r);
   if (*r->p == close) {
      r->p++;
      return true;
   }
   for (;;) {
      char *key = NULL;
      skip(r);
      if (close == '}') {
         if (*r->p != '"') {
            r->why = "member name expected";
            return false;
         }
         key = string(r);
         skip(r);
         if (!key || *r->p != ':') {
            free(key);
            r->why = r->why ? r->why : "':' expected";
            return false;
         }
         r->p++;
      }
      struct json *v = value(r, depth + 1);
      if (!v) {
         free(key);
         return false;
      }
      v->key = key;
      *tail = v;
      tail = &v->next;
      skip(r);
      if (*r->p == close) {
         r->p++;
         return true;
      }
      if (*r->p != ',') {
         r->why = "',' expected";
         return false;
      }
      r->p++;
   }
}

static bool word(struct reader *r, const char *w)
{
   size_t n = strlen(w);
   if (strncmp(r->p, w, n))
      return false;
   r->p += n;
   return true;
}

static struct json *value(struct reader *r, unsigned depth)
{
   struct json *j = calloc(1, sizeof(*j));
   bool ok = false;
   skip(r);
   if (!j || depth > MAX_DEPTH) {
      r->why = "nested too deep";
   } else if (*r->p == '{' || *r->p == '[') {
      j->kind = *r->p == '{' ? JSON_OBJECT : JSON_ARRAY;
      ok = members(r, j, depth, *r->p == '{' ? '}' : ']');
   } else if (*r->p == '"') {
      j->kind = JSON_STRING;
      j->string = string(r);
      ok = j->string;
   } else if (word(r, "true") || word(r, "false")) {
      j->kind = JSON_BOOL;
      j->number = r->p[-2] == 'u';
      ok = true;
   } else if (word(r, "null")) {
      ok = true;
   } else {
      char *end;
      j->kind = JSON_NUMBER;
      j->number = strtod(r->p, &end);
      /* strtod() takes more: inf, nan, hexadecimal, a leading '+' */
      ok = end != r->p && strchr("-0123456789", *r->p) && strspn(r->p, "+-0123456789.eE") >= (size_t)(end - r->p);
      r->p = end;
      if (!ok)
         r->why = "value expected";
   }
   if (ok)
      return j;
   json_free(j);
   return NULL;
}

struct json *json_parse(const char *text, const char **why, size_t *at)
{
   struct reader r = {text, text, NULL};
   struct json *j = value(&r, 0);
   skip(&r);
   if (j && *r.p) {
      r.why = "text after the value";
      json_free(j);
      j = NULL;
   }
   *why = r.why;
   *at = (size_t)(r.p - text);
   return j;
}

void json_free(struct json *j)
{
   while (j) {
      struct json *next = j->next;
      json_free(j->child);
      free(j->string);
      free(j->key);
      free(j);
      j = next;
   }
}

const struct json *json_get(const struct json *object, const char *key)
{
   for (const struct json *c = object ? object->child : NULL; c; c = c->next)
      if (c->key && !strcmp(c->key, key))
         return c;
   return NULL;
}
