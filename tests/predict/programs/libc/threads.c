#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <threads.h>

#include "say.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static pthread_barrier_t all;
static sem_t free_slots;
static int jobs[1000], first, last, closed, serial, started;

static void at_once(void) { ++started, pthread_key_create(&key, free); }

static void write_part(int number) {
  char name[32];
  snprintf(name, sizeof name, "job%d", number);
  FILE* file = fopen(name, "w");
  for (int i = 0; i <= number; ++i) fprintf(file, "%d\n", i);
  fclose(file);
}

/* Waits for jobs that whoever started it has not made yet. */
static void* worker(void* of) {
  pthread_once(&once, at_once);
  pthread_setspecific(key, malloc(10));
  long done = 0;
  while (1) {
    pthread_mutex_lock(&lock);
    while (first == last && !closed) pthread_cond_wait(&changed, &lock);
    const int job = first == last ? -1 : jobs[first++];
    pthread_mutex_unlock(&lock);
    if (job < 0) return (void*)done;
    write_part(job), ++done;
  }
}

static void* quick(void* number) {
  if (pthread_getspecific(key) != NULL) return NULL;
  serial += pthread_barrier_wait(&all) == PTHREAD_BARRIER_SERIAL_THREAD;
  if ((long)number == 1) pthread_exit((void*)100);
  sem_post(&free_slots);
  return (void*)((long)number * 2);
}

static int eleventh(void* number) { return *(int*)number + 11; }

int main(int argc, char** argv) {
  const int count = atoi(argv[1]);
  pthread_t threads[4];
  begin("threads.bin");
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], NULL, worker, NULL);
  for (int i = 0; i < count; ++i) {
    pthread_mutex_lock(&lock);
    jobs[last++] = i;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
  }
  pthread_mutex_lock(&lock), closed = 1, pthread_cond_broadcast(&changed), pthread_mutex_unlock(&lock);
  long done = 0;
  for (int i = 0; i < 3; ++i) {
    void* result = NULL;
    pthread_join(threads[i], &result);
    done += (long)result;
  }
  tell(done), tell(started);
  pthread_barrier_init(&all, NULL, 4), sem_init(&free_slots, 0, 0);
  for (long i = 0; i < 4; ++i) pthread_create(&threads[i], NULL, quick, (void*)i);
  for (int i = 0; i < 4; ++i) {
    void* result = NULL;
    pthread_join(threads[i], &result);
    tell((long)result);
  }
  tell(serial);
  for (int i = 0; i < 3; ++i) sem_wait(&free_slots);
  int value = -1;
  tell(sem_trywait(&free_slots)), sem_getvalue(&free_slots, &value), tell(value);
  tell(pthread_equal(pthread_self(), pthread_self()) != 0), tell(pthread_mutex_trylock(&lock));
  thrd_t other;
  int number = 31, result = 0;
  thrd_create(&other, eleventh, &number), thrd_join(other, &result), tell(result);
  fclose(said);
  return 0;
}
