import { Session } from 'node:inspector/promises'
import type { Milliseconds } from '@kerf/apis'
import { type Clock, sleep } from '../clock/clock.ts'
import { pprofOfCpu, pprofOfHeap } from './pprof.ts'

/** The time between two samples of the stack, in microseconds: a hundred samples per second, as in Go. */
const CPU_INTERVAL = 10_000
/** The number of bytes per sample, as in Go. */
const HEAP_INTERVAL = 512 * 1_024

/** Thrown if another profile of the same kind is being taken. */
export class ProfilerBusy extends Error {}

/**
 * Takes profiles of this process with V8's sampling profilers, at most one of each kind at a time. The heap is sampled from the
 * start, as in Go, so a request only has to write the result, and no snapshot blocks the process.
 */
export class ProcessProfiler {
  readonly #clock: Clock
  readonly #heap = new Session()
  #heapIsBusy = false
  #cpuIsBusy = false

  private constructor(clock: Clock) {
    this.#clock = clock
  }

  static async start(clock: Clock): Promise<ProcessProfiler> {
    const profiler = new ProcessProfiler(clock)
    profiler.#heap.connect()
    await profiler.#sampleHeap(false)
    return profiler
  }

  /** Returns a profile of the memory that was allocated since sampling started and is still in use. */
  async heap(): Promise<Buffer> {
    if (this.#heapIsBusy) throw new ProfilerBusy('an allocation profile is running; try again after it has ended')
    const { profile } = await this.#heap.post('HeapProfiler.getSamplingProfile')
    return await pprofOfHeap(profile, HEAP_INTERVAL, { at: this.#clock.now(), duration: 0 }, 'inuse_space')
  }

  /**
   * Returns a profile of the memory that is allocated during `duration`, including garbage. V8 has only one sampling mode at a time, so
   * later heap profiles do not include memory that was allocated before this call.
   */
  async allocations(duration: Milliseconds, signal: AbortSignal): Promise<Buffer> {
    if (this.#heapIsBusy) throw new ProfilerBusy('an allocation profile is already running')
    this.#heapIsBusy = true
    try {
      await this.#heap.post('HeapProfiler.stopSampling')
      await this.#sampleHeap(true)
      const at = this.#clock.now()
      await sleep(this.#clock, duration, signal).catch(() => {})
      const { profile } = await this.#heap.post('HeapProfiler.stopSampling')
      await this.#sampleHeap(false)
      return await pprofOfHeap(profile, HEAP_INTERVAL, { at, duration: this.#clock.now() - at }, 'alloc_space')
    } finally {
      this.#heapIsBusy = false
    }
  }

  /** Returns a profile of CPU time during `duration`, or until the signal is aborted. */
  async cpu(duration: Milliseconds, signal: AbortSignal): Promise<Buffer> {
    if (this.#cpuIsBusy) throw new ProfilerBusy('a CPU profile is already running')
    this.#cpuIsBusy = true
    const session = new Session()
    session.connect()
    try {
      await session.post('Profiler.enable')
      await session.post('Profiler.setSamplingInterval', { interval: CPU_INTERVAL })
      await session.post('Profiler.start')
      const at = this.#clock.now()
      await sleep(this.#clock, duration, signal).catch(() => {})
      const { profile } = await session.post('Profiler.stop')
      return await pprofOfCpu(profile, CPU_INTERVAL, { at, duration: this.#clock.now() - at })
    } finally {
      session.disconnect()
      this.#cpuIsBusy = false
    }
  }

  stop(): void {
    this.#heap.disconnect()
  }

  async #sampleHeap(withCollected: boolean): Promise<void> {
    await this.#heap.post('HeapProfiler.startSampling', {
      samplingInterval: HEAP_INTERVAL,
      includeObjectsCollectedByMajorGC: withCollected,
      includeObjectsCollectedByMinorGC: withCollected,
    })
  }
}
