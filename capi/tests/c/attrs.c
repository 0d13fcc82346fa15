/* Every retile_attr_*: what each sets, and refuses. */
#include <math.h>
#include "check.h"

/* The pair of a kernel with these attributes, and its target, on the tier that needs nothing unless they allow more. */
static const char *explained(const retile_attr *attr) {
  static char text[4096], line[256];
  retile_kernel *k = kernel("s8:ab:4x8", "s8:ba:4x8", attr);
  OK(retile_kernel_explain(k, text, sizeof text, NULL));
  retile_kernel_free(k);
  const char *pair = strchr(text, ' '), *target = strstr(text, "\ntarget ");
  if (pair == NULL || target == NULL) return text;
  pair += strspn(pair, " ");
  target += strlen("\ntarget ") + strspn(target + strlen("\ntarget "), " ");
  snprintf(line, sizeof line, "%.*s, %.*s", (int)strcspn(pair, "\n"), pair, (int)strcspn(target, ","), target);
  return line;
}

int main(void) {
  retile_attr *attr = NULL;
  FAILS(RETILE_ERR_INVALID, "out is NULL", retile_attr_new(NULL));
  OK(retile_attr_new(&attr));
  OK(retile_attr_set_max_isa(attr, "portable"));
  SAME_TEXT(explained(attr), "s8:ab:4x8 s8:ba:4x8, portable");

  OK(retile_attr_set_scale(attr, RETILE_SRC, 0));
  OK(retile_attr_set_scale(attr, RETILE_DST, 1));
  OK(retile_attr_set_scale(attr, RETILE_DST, 2)); /* The last one counts. */
  FAILS(RETILE_ERR_INVALID, "side is 2", retile_attr_set_scale(attr, 2, 0));
  FAILS(RETILE_ERR_INVALID, "side is -1", retile_attr_set_scale(attr, -1, 0));
  FAILS(RETILE_ERR_INVALID, "attr is NULL", retile_attr_set_scale(NULL, RETILE_SRC, 0));

  OK(retile_attr_set_zero_point(attr, RETILE_SRC, 3));
  OK(retile_attr_set_zero_point(attr, RETILE_DST, 0));
  FAILS(RETILE_ERR_INVALID, "side is 7", retile_attr_set_zero_point(attr, 7, 0));
  FAILS(RETILE_ERR_INVALID, "attr is NULL", retile_attr_set_zero_point(NULL, RETILE_SRC, 0));

  OK(retile_attr_set_sum(attr, 0.5f));
  FAILS(RETILE_ERR_INVALID, "NaN", retile_attr_set_sum(attr, NAN));
  FAILS(RETILE_ERR_INVALID, "-inf", retile_attr_set_sum(attr, -INFINITY));
  FAILS(RETILE_ERR_INVALID, "attr is NULL", retile_attr_set_sum(NULL, 1));
  SAME_TEXT(explained(attr), "s8:ab:4x8 s8:ba:4x8 --src-scale=common --dst-scale=mask:2 --src-zp=mask:3 --dst-zp=common --sum=0.5, portable");
  retile_attr_free(attr);

  OK(retile_attr_new(&attr));
  OK(retile_attr_set_max_isa(attr, "portable"));
  OK(retile_attr_set_compensation(attr, RETILE_COMP_S8S8, 1));
  SAME_TEXT(explained(attr), "s8:ab:4x8 s8:ba:4x8 --comp=s8s8:1, portable");
  OK(retile_attr_set_compensation(attr, RETILE_COMP_ASYMMETRIC, 2));
  SAME_TEXT(explained(attr), "s8:ab:4x8 s8:ba:4x8 --comp=s8s8:1+zp:2, portable");
  FAILS(RETILE_ERR_INVALID, "kind 1 is set already", retile_attr_set_compensation(attr, RETILE_COMP_S8S8, 1));
  FAILS(RETILE_ERR_INVALID, "kind 2 is set already", retile_attr_set_compensation(attr, RETILE_COMP_ASYMMETRIC, 0));
  FAILS(RETILE_ERR_INVALID, "kind is 0", retile_attr_set_compensation(attr, 0, 1));
  FAILS(RETILE_ERR_INVALID, "kind is 3", retile_attr_set_compensation(attr, RETILE_COMP_S8S8 | RETILE_COMP_ASYMMETRIC, 1));
  FAILS(RETILE_ERR_INVALID, "attr is NULL", retile_attr_set_compensation(NULL, RETILE_COMP_S8S8, 1));

  OK(retile_attr_set_locality(attr, RETILE_LOCALITY_AUTO));
  OK(retile_attr_set_locality(attr, RETILE_LOCALITY_KEEP));
  OK(retile_attr_set_locality(attr, RETILE_LOCALITY_STREAM));
  FAILS(RETILE_ERR_INVALID, "locality is 3", retile_attr_set_locality(attr, 3));
  FAILS(RETILE_ERR_INVALID, "attr is NULL", retile_attr_set_locality(NULL, 0));

  OK(retile_attr_set_max_isa(attr, "portable"));
  OK(retile_attr_set_max_isa(attr, "avx2"));
  OK(retile_attr_set_max_isa(attr, "avx512"));
  OK(retile_attr_set_max_isa(attr, "avx512vbmi"));
  FAILS(RETILE_ERR_INVALID, "`sse2`, expected one of portable, avx2, avx512, avx512vbmi", retile_attr_set_max_isa(attr, "sse2"));
  FAILS(RETILE_ERR_INVALID, "tier is NULL", retile_attr_set_max_isa(attr, NULL));
  FAILS(RETILE_ERR_INVALID, "attr is NULL", retile_attr_set_max_isa(NULL, "avx2"));
  OK(retile_attr_set_max_isa(attr, "portable"));
  SAME_TEXT(explained(attr), "s8:ab:4x8 s8:ba:4x8 --comp=s8s8:1+zp:2, portable");
  retile_attr_free(attr);
  retile_attr_free(NULL);
  return finish();
}
