/* The variables of the environment: each in a child of its own, since they are read once. */
#include "guard.h"
#include <dirent.h>
#include <sys/wait.h>

static char told[65536]; /* What the last child wrote to standard error. */

static const char *const VARIABLES[] = {"RETILE_VERBOSE", "RETILE_JIT_DUMP", "RETILE_PERF", "RETILE_MAX_ISA"};

/* Runs a part with a variable set, and keeps what it says. */
static void child(const char *variable, const char *value, int (*part)(void)) {
  FILE *file = tmpfile();
  if (file == NULL) {
    perror("tmpfile");
    exit(1);
  }
  const pid_t process = fork();
  if (process == 0) {
    for (int i = 0; i < 4; i++) unsetenv(VARIABLES[i]);
    if (variable != NULL) setenv(variable, value, 1);
    dup2(fileno(file), STDERR_FILENO);
    exit(part());
  }
  int status = -1;
  SAME(waitpid(process, &status, 0), process);
  rewind(file);
  told[fread(told, 1, sizeof told - 1, file)] = '\0';
  fclose(file);
  if (status != 0) REPORT("%s=%s: status %d: %s", variable, value, status, told);
}

static void convert(const retile_kernel *k) {
  const float src[6] = {0, 1, 2, 3, 4, 5};
  int8_t dst[6];
  const float scale = 2;
  const retile_args args = {sizeof args, NULL, &scale, NULL, NULL, 0, 1, 0, 0};
  OK(retile_kernel_run(k, src, dst, &args));
  CHECK(dst[1] == 2 && dst[5] == 2); /* 3/2 and 5/2, to the nearest even. */
}

/* One kernel made twice, and run twice; one task of two is a run too. */
static int make_and_run(void) {
  retile_attr *attr = NULL;
  OK(retile_attr_new(&attr));
  OK(retile_attr_set_scale(attr, RETILE_DST, 0));
  retile_kernel *k = kernel("f32:ab:2x3", "s8:ba:2x3", attr), *again = kernel("f32:ab:2x3", "s8:ba:2x3", attr);
  convert(k);
  convert(again);
  retile_kernel_free(k);
  retile_kernel_free(again);
  retile_attr_free(attr);
  return finish();
}

static int is_portable(void) {
  retile_kernel *k = kernel("f32:ab:16x16", "f32:ba:16x16", NULL);
  SAME_TEXT(retile_kernel_tier(k), "portable");
  retile_kernel_free(k);
  return make_and_run();
}

static int is_refused(void) {
  retile_layout *l = layout("f32:ab:16x16");
  retile_kernel *k = NULL;
  REFUSES(RETILE_ERR_INVALID, "RETILE_MAX_ISA=sse9", k, retile_kernel_new(l, l, NULL, &k));
  retile_layout_free(l);
  return finish();
}

/* How many lines there are that start so. */
static int lines(const char *start) {
  int count = 0;
  for (const char *line = told; *line != '\0'; line = *line == '\0' ? line : line + 1) {
    count += strncmp(line, start, strlen(start)) == 0;
    line += strcspn(line, "\n");
  }
  return count;
}

static int dumped(const char *directory, const char *ending) {
  DIR *open = opendir(directory);
  int count = 0;
  if (open == NULL) return 0;
  for (struct dirent *entry; (entry = readdir(open)) != NULL;) {
    const size_t length = strlen(entry->d_name);
    count += length > 4 && strcmp(entry->d_name + length - 4, ending) == 0 && strstr(entry->d_name, "-f32_ab_2x3_to_s8_ba_2x3_") != NULL;
  }
  closedir(open);
  return count;
}

static void removed(const char *directory) {
  DIR *open = opendir(directory);
  if (open == NULL) return;
  for (struct dirent *entry; (entry = readdir(open)) != NULL;) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", directory, entry->d_name);
    if (entry->d_name[0] != '.') unlink(path);
  }
  closedir(open);
  rmdir(directory);
}

static char map[64];

static int with_map(void) {
  const int failed = make_and_run();
  char line[256] = "";
  snprintf(map, sizeof map, "/tmp/perf-%d.map", (int)getpid());
  FILE *file = fopen(map, "r");
  if (file != NULL) {
    if (fgets(line, sizeof line, file) == NULL) line[0] = '\0';
    fclose(file);
    unlink(map);
  }
  fprintf(stderr, "%s", line);
  return failed;
}

int main(void) {
  child(NULL, "", make_and_run);
  SAME_TEXT(told, "");
  child("RETILE_VERBOSE", "0", make_and_run);
  SAME_TEXT(told, "");

  child("RETILE_VERBOSE", "1", make_and_run);
  SAME(lines("retile\tmake\t"), 1); /* The second one was there. */
  SAME(lines("retile\trun\t"), 0);
  SAME(lines(""), 1);
  CHECK(strstr(told, "\tf32:ab:2x3\ts8:ba:2x3\t--dst-scale=common\t") != NULL);
  const int compiled = strncmp(told, "retile\tmake\tportable\t", 21) != 0;

  child("RETILE_VERBOSE", "2", make_and_run);
  SAME(lines("retile\tmake\t"), 1);
  SAME(lines("retile\trun\t"), 2);
  CHECK(strstr(told, "\t--dst-scale=common\t1/1\t") != NULL);

  child("RETILE_VERBOSE", "loud", make_and_run);
  SAME_TEXT(told, "retile\tignored\tRETILE_VERBOSE=loud\texpected 0 or 1 or 2\n");

  child("RETILE_MAX_ISA", "portable", is_portable);
  SAME_TEXT(told, "");
  child("RETILE_MAX_ISA", "sse9", is_refused);
  SAME_TEXT(told, "");

  char directory[64];
  snprintf(directory, sizeof directory, "/tmp/retile-dump-%d", (int)getpid());
  child("RETILE_JIT_DUMP", directory, make_and_run);
  SAME_TEXT(told, "");
  SAME(dumped(directory, ".bin"), compiled);
  SAME(dumped(directory, ".txt"), compiled);
  removed(directory);
  /* Where nothing can be written, that is said, and the kernel works. */
  child("RETILE_JIT_DUMP", "/dev/null/here", make_and_run);
  SAME(lines("retile\tfailed\t/dev/null/here") > 0, compiled);

  child("RETILE_PERF", "map", with_map);
  SAME(strstr(told, " retile::f32_ab_2x3_to_s8_ba_2x3_dst_scale_common\n") != NULL, compiled);
  return finish();
}
