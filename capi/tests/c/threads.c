/* One kernel and its layouts from several threads, each with its own last error. */
#include <pthread.h>
#include "check.h"

enum { THREADS = 4, RUNS = 50, ROWS = 13, COLUMNS = 7 };

static retile_layout *shared_src, *shared_dst;
static retile_kernel *shared_kernel;

static void *work(void *argument) {
  const int me = *(const int *)argument;
  long bad = 0;
  char name[16], text[32];
  bad += strcmp(retile_last_error(), "") != 0;
  snprintf(name, sizeof name, "wrong%d", me);
  snprintf(text, sizeof text, "f32:%s:1", name);
  for (int run = 0; run < RUNS; run++) {
    int32_t src[ROWS * COLUMNS], dst[ROWS * COLUMNS];
    retile_layout *none = NULL, *mine = NULL;
    for (int i = 0; i < ROWS * COLUMNS; i++) src[i] = me * 1000000 + run * 1000 + i;
    bad += retile_layout_parse(text, &none) != RETILE_ERR_INVALID;
    bad += retile_kernel_run(shared_kernel, src, dst, NULL) != RETILE_OK;
    for (int r = 0; r < ROWS; r++)
      for (int c = 0; c < COLUMNS; c++) bad += dst[c * ROWS + r] != src[r * COLUMNS + c];
    bad += retile_layout_flip(shared_src, 1, &mine) != RETILE_OK || retile_layout_equal(mine, shared_dst);
    retile_layout_free(mine);
    bad += strstr(retile_last_error(), name) == NULL;
  }
  return bad == 0 ? argument : NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  int numbers[THREADS];
  shared_src = layout("s32:ab:13x7");
  shared_dst = layout("s32:ba:13x7");
  OK(retile_kernel_new(shared_src, shared_dst, NULL, &shared_kernel));
  for (int i = 0; i < THREADS; i++) {
    numbers[i] = i;
    SAME(pthread_create(&threads[i], NULL, work, &numbers[i]), 0);
  }
  for (int i = 0; i < THREADS; i++) {
    void *result = NULL;
    SAME(pthread_join(threads[i], &result), 0);
    CHECK(result == &numbers[i]);
  }
  SAME_TEXT(retile_last_error(), "");
  retile_kernel_free(shared_kernel);
  retile_layout_free(shared_src);
  retile_layout_free(shared_dst);
  return finish();
}
