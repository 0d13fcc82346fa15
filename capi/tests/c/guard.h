/* Memory before pages that nobody may touch. First of a program's headers, since it asks the system's for more than C99. */
#ifndef GUARD_H
#define GUARD_H
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include <sys/mman.h>
#include <unistd.h>
#include "check.h"

/* Memory whose last byte lies before a page that nobody may touch. */
static inline unsigned char *guarded(size_t bytes, unsigned char fill) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE), pages = (bytes + page - 1) / page * page;
  unsigned char *map = mmap(NULL, pages + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (map == MAP_FAILED || mprotect(map + pages, page, PROT_NONE) != 0) {
    perror("guard page");
    exit(1);
  }
  if (pages > 0) memset(map, fill, pages);
  return map + pages - bytes;
}

/* Gives such memory back. */
static inline void unguard(unsigned char *memory, size_t bytes) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE), pages = (bytes + page - 1) / page * page;
  SAME(munmap(memory + bytes - pages, pages + page), 0);
}

static inline int all(const unsigned char *bytes, size_t count, unsigned char value) {
  while (count-- > 0)
    if (*bytes++ != value) return 0;
  return 1;
}
#endif
