# Every recipe is a step of .ci/run, so that a command here and the same command in CI are one.

# List the recipes
_default:
    @just --list --unsorted

# Run all tests
test:
    .ci/run test

# Check the formatting
fmt:
    .ci/run fmt

# Lint everything, warnings denied
clippy:
    .ci/run clippy

# Build the documentation, warnings denied
doc:
    .ci/run doc

# Check what is built without x86
portable:
    .ci/run portable

# Build the fuzz targets as ordinary programs
fuzz-build:
    .ci/run fuzz-build

# Build what is released, and the README's C example against it
release:
    .ci/run release

# Install the C library with cargo-c, and build the README's C example with pkg-config (needs cargo-c)
cinstall:
    .ci/run cinstall

# Run the README's first command
quick-start:
    .ci/run quick-start

# Try every order in which threads may come to the cache's locks
loom:
    .ci/run loom

# Test what features add
features:
    .ci/run features

# Run every benchmark once, without its clock
bench-test:
    .ci/run bench-test

# Measure kernels and each stage of making them, and hold planning to its limits (minutes; nothing else should run)
bench:
    .ci/run bench

# Run the tests of machine code on emulated CPUs without AVX-512, and without AVX2 (installs qemu-user where it may)
qemu:
    .ci/run qemu

# Everything above but the measurements, as CI runs it
ci:
    .ci/run

# Run what the tests only sample: every conversion, exhaustively (half an hour)
prove:
    .ci/run prove

# Interpret the tests of what is no machine code by Miri (needs a nightly toolchain with it)
miri:
    .ci/run miri

# Fuzz a target for some seconds (needs cargo-fuzz)
fuzz target="parse" seconds="60":
    .ci/run fuzz {{target}} {{seconds}}
