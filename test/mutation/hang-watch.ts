import { performance } from 'node:perf_hooks'

/** What a test took without a mutant, in milliseconds. */
export interface Cost {
  /** Processor time. */
  readonly cpu: number
  /** Time in which the process had nothing to do. */
  readonly idle: number
}

// A test may put fakes in their place.
const { setInterval, clearInterval } = globalThis

/** How much processor time a repetition may take before it is taken for one that never ends. */
export const mostCpu = ({ cpu }: Cost): number => 20 * cpu + 10_000
const mostIdle = ({ idle }: Cost): number => 4 * idle + 5_000

export class Hung extends Error {}

const processorTime = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

/** Measures from now on. Time on the wall does not count: a busy machine makes every test slow. */
export const stopwatch = (): (() => Cost) => {
  const cpu = processorTime()
  const { idle } = performance.eventLoopUtilization()
  return () => ({ cpu: processorTime() - cpu, idle: performance.eventLoopUtilization().idle - idle })
}

/** Runs a test, and rejects with `Hung` when it works or waits far longer than it did without a mutant. */
export const unlessHung = async (cost: Cost, body: () => unknown): Promise<void> => {
  const spent = stopwatch()
  let timer: NodeJS.Timeout | undefined
  const hung = new Promise<never>((_, reject) => {
    timer = setInterval(() => {
      const { cpu, idle } = spent()
      if (cpu > mostCpu(cost) || idle > mostIdle(cost)) reject(new Hung('the mutant does not end'))
    }, 250)
  })
  try {
    await Promise.race([body(), hung])
  } finally {
    clearInterval(timer)
  }
}
