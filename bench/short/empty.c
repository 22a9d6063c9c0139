/* A library to preload that does nothing: what the kernel and the dynamic linker take for any. */
int trikal_bench_nothing;
