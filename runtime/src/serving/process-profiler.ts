import { Session } from 'node:inspector/promises'
import type { Milliseconds } from '@kerf/apis'
import { type Clock, sleep } from '../clock/clock.ts'
import { pprofOfCpu, pprofOfHeap } from './pprof.ts'

/** Microseconds between two looks at the stack: a hundred a second, as in Go. */
const CPU_INTERVAL = 10_000
/** Bytes to a sample: Go's rate. */
const HEAP_INTERVAL = 512 * 1_024

/** Another profile of the kind is being taken. */
export class ProfilerBusy extends Error {}

/**
 * V8's sampling profilers of this process, one of each kind at a time. What the heap holds is sampled from the start on,
 * as in Go, so that asking costs nothing but writing it down: no snapshot stops the process.
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

  /** What was allocated since sampling began and is still held. */
  async heap(): Promise<Buffer> {
    if (this.#heapIsBusy) throw new ProfilerBusy('allocations are being profiled; ask again when that has ended')
    const { profile } = await this.#heap.post('HeapProfiler.getSamplingProfile')
    return await pprofOfHeap(profile, HEAP_INTERVAL, { at: this.#clock.now(), duration: 0 }, 'inuse_space')
  }

  /**
   * What is allocated during `duration`, also what is collected meanwhile. V8 samples in one way at a time, so what was
   * held before is not in later heap profiles.
   */
  async allocations(duration: Milliseconds, signal: AbortSignal): Promise<Buffer> {
    if (this.#heapIsBusy) throw new ProfilerBusy('allocations are being profiled already')
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

  /** Where time goes during `duration`, or until the signal. */
  async cpu(duration: Milliseconds, signal: AbortSignal): Promise<Buffer> {
    if (this.#cpuIsBusy) throw new ProfilerBusy('the CPU is being profiled already')
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
