/* A forked child runs kernels of its parent's and makes its own, also while other threads of the parent's make theirs. */
#include "guard.h"
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>

/* The address sanitizers of these years leave their allocator's locks as a fork finds them, so that a child that allocates
   may wait for ever for a thread it does not have: with them nothing is forked while threads are at work. */
#if defined __SANITIZE_ADDRESS__
#define ROUNDS 0
#elif defined __has_feature
#if __has_feature(address_sanitizer)
#define ROUNDS 0
#endif
#endif
#ifndef ROUNDS
#define ROUNDS 50
#endif

enum { ROWS = 21, THREADS = 2 };

static retile_kernel *transpose(int rows) {
  char from[32], to[32];
  snprintf(from, sizeof from, "f32:ab:%dx13", rows);
  snprintf(to, sizeof to, "s8:ba:%dx13", rows);
  return kernel(from, to, NULL);
}

static void runs(const retile_kernel *k, int rows) {
  float src[64 * 13];
  int8_t dst[64 * 13];
  long bad = 0;
  for (int i = 0; i < rows * 13; i++) src[i] = (float)(i % 100);
  for (size_t task = 3; task-- > 0;) OK(retile_kernel_run_task(k, task, 3, src, dst, NULL));
  for (int i = 0; i < rows * 13; i++) bad += dst[i % 13 * rows + i / 13] != i % 100;
  SAME(bad, 0);
}

static retile_cache_stats stats(void) {
  retile_cache_stats found = {sizeof found, 0, 0, 0, 0};
  OK(retile_cache_get_stats(&found));
  return found;
}

static uint64_t hits(void) { return stats().hits; }

/* The cache does what it is told, whoever was at it. */
static void obeys(void) {
  const retile_cache_stats before = stats();
  OK(retile_cache_clear());
  SAME(stats().entries, 0);
  OK(retile_cache_set_capacity(1));
  for (int rows = 3; rows < 6; rows++) retile_kernel_free(transpose(rows));
  retile_kernel_free(transpose(5));
  SAME(stats().entries, 1);
  SAME(hits(), before.hits + 1);
  SAME(stats().misses, before.misses + 3);
}

/* What a child does with its parent's kernel; all that it does to the cache is its own. */
static int alone(retile_kernel *parents) {
  const uint64_t before = hits();
  runs(parents, ROWS);
  retile_kernel *same = transpose(ROWS), *own = transpose(ROWS + 1);
  SAME(hits(), before + 1);
  runs(same, ROWS);
  runs(own, ROWS + 1);
  FAILS(RETILE_ERR_INVALID, "kernel is NULL", retile_kernel_run(NULL, NULL, NULL, NULL));
  retile_kernel_free(same);
  retile_kernel_free(own);
  OK(retile_cache_clear());
  runs(parents, ROWS);
  retile_kernel_free(parents);
  return finish();
}

static volatile sig_atomic_t stop;

static void *make(void *argument) {
  for (int i = *(const int *)argument; !stop; i++) {
    retile_kernel *k = transpose(1 + i % 60);
    runs(k, 1 + i % 60);
    retile_kernel_free(k);
    if (i % 60 == 0) OK(retile_cache_clear());
  }
  return argument;
}

static void awaited(pid_t process) {
  int status = -1;
  SAME(waitpid(process, &status, 0), process);
  if (status != 0) REPORT("the child ended with status %d", status);
}

int main(void) {
  retile_kernel *k = transpose(ROWS);
  runs(k, ROWS);
  pid_t process = fork();
  if (process == 0) {
    alarm(120); /* Locks that nobody holds any more are not waited for. */
    exit(alone(k));
  }
  awaited(process);
  SAME(hits(), 0); /* The child's. */
  SAME_TEXT(retile_last_error(), "");

  pthread_t threads[THREADS];
  int numbers[THREADS] = {0, 30};
  for (int i = 0; i < THREADS; i++) SAME(pthread_create(&threads[i], NULL, make, &numbers[i]), 0);
  for (int round = 0; round < ROUNDS; round++) {
    process = fork();
    if (process == 0) {
      alarm(120);
      failures = 0;
      runs(k, ROWS);
      const int rows = ROWS + 1 + round % 40;
      retile_kernel *same = transpose(ROWS), *own = transpose(rows);
      runs(same, ROWS);
      runs(own, rows);
      retile_kernel_free(same);
      retile_kernel_free(own);
      obeys();
      _exit(failures != 0); /* What the threads had is nobody's any more. */
    }
    awaited(process);
  }
  stop = 1;
  for (int i = 0; i < THREADS; i++) SAME(pthread_join(threads[i], NULL), 0);
  runs(k, ROWS);
  retile_kernel_free(k);
  return finish();
}
