#pragma once
/* The interface that this module watches. A module of a library that exists needs neither this file nor template.c. */

#include <stddef.h>
#include <stdint.h>

int64_t template_open(const char* path, int create); /* a handle; -1: failed */
int64_t template_read(int64_t handle, void* data, size_t bytes); /* bytes that were read */
int64_t template_write(int64_t handle, const void* data, size_t bytes);
int template_close(int64_t handle);
