import type { Rate } from '../limits/token-bucket.ts'

/**
 * Returns the number of keys that a controller may work on at the same time (`docs/spec/process.md#concurrency-and-rate-limits`). The
 * number grows with the CPU request, from `min` at one core to `max` at sixty cores.
 */
export const linearConcurrency = (min: number, max: number, cpuMillicores: number): number => {
  const cores = Math.ceil(cpuMillicores / 1000)
  const scaled = Math.trunc(((max - min) / 59) * (cores - 1)) + min
  return Math.min(max, Math.max(min, scaled))
}

/**
 * Returns the retry rate for a concurrency: `minQps` at `minConcurrency`, and proportionally more above it. Bursts are ten times
 * the rate.
 */
export const rateForConcurrency = (minQps: number, minConcurrency: number, concurrency: number): Rate => {
  const qps = Math.ceil((concurrency * minQps) / minConcurrency)
  return { qps, burst: 10 * qps }
}
