import type { Rate } from '../limits/token-bucket.ts'

/**
 * Returns how many keys a controller may work on at a time. Grows with the CPU from `min` at one core to `max` at sixty.
 * `docs/spec/process.md#concurrency-and-rate-limits`.
 */
export const linearConcurrency = (min: number, max: number, cpuMillicores: number): number => {
  const cores = Math.ceil(cpuMillicores / 1000)
  const scaled = Math.trunc(((max - min) / 59) * (cores - 1)) + min
  return Math.min(max, Math.max(min, scaled))
}

/** Returns the retry rate for a concurrency: `minQps` at `minConcurrency` and proportional above it, with bursts of ten times that. */
export const rateForConcurrency = (minQps: number, minConcurrency: number, concurrency: number): Rate => {
  const qps = Math.ceil((concurrency * minQps) / minConcurrency)
  return { qps, burst: 10 * qps }
}
