// Machine learning: a linear model by gradient descent over samples in batches that are read anew in every epoch.
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { kFeatures = 32, kBatch = 64 };

static void make_samples(const char* path, int batches) {
  double batch[kBatch * kFeatures];
  FILE* file = fopen(path, "wb");
  for (int b = 0; b < batches; ++b) {
    for (int i = 0; i < kBatch * kFeatures; ++i) batch[i] = (b + i) % 100 * 0.01;
    fwrite(batch, sizeof batch, 1, file);
  }
  fclose(file);
}

static void learn(const double* batch, double* weights) {
  for (int s = 0; s < kBatch; ++s) {
    const double* sample = batch + s * kFeatures;
    double y = 0;
    for (int f = 0; f < kFeatures; ++f) y += weights[f] * sample[f];
    const double miss = 1 / (1 + exp(-y)) - 0.5;
    for (int f = 0; f < kFeatures; ++f) weights[f] -= 0.01 * miss * sample[f];
  }
}

static void epoch(const char* path, double* weights, int batches) {
  double batch[kBatch * kFeatures];
  int file = open(path, O_RDONLY);
  for (int b = 0; b < batches; ++b) {
    read(file, batch, sizeof batch);
    learn(batch, weights);
  }
  close(file);
}

int main(int argc, char** argv) {
  const int batches = argc > 1 ? atoi(argv[1]) : 100, epochs = argc > 2 ? atoi(argv[2]) : 2;
  double weights[kFeatures] = {0};
  make_samples("samples.bin", batches);
  for (int e = 0; e < epochs; ++e) epoch("samples.bin", weights, batches);
  printf("%g\n", weights[0]);
  return 0;
}
