#pragma once
// Most processes start, do little and end. Whatever they touch comes in pages, and a page costs some microseconds: what only
// few of them use lies apart from what all of them do.

// For variables that are zero when they begin, and for others.
#define TRIKAL_RARE __attribute__((section(".bss.rare")))
#define TRIKAL_RARE_DATA __attribute__((section(".data.rare")))
