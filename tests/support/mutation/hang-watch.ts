import { performance } from 'node:perf_hooks'

/** How long a test takes without a mutant, in milliseconds. */
export interface Cost {
  /** Processor time. */
  readonly cpu: number
  /** The time during which the process was idle. */
  readonly idle: number
}

// References to the original functions, because a test may replace them with fakes.
const { setInterval, clearInterval } = globalThis

/** Returns the processor time after which a repetition of the test counts as endless. */
export const mostCpu = ({ cpu }: Cost): number => 20 * cpu + 10_000
const mostIdle = ({ idle }: Cost): number => 4 * idle + 5_000

export class Hung extends Error {}

const processorTime = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

/** Starts a measurement of processor time and idle time. Wall time does not count, because on a busy machine every test is slow. */
export const stopwatch = (): (() => Cost) => {
  const cpu = processorTime()
  const { idle } = performance.eventLoopUtilization()
  return () => ({ cpu: processorTime() - cpu, idle: performance.eventLoopUtilization().idle - idle })
}

/** Runs a test. Rejects with `Hung` if the test computes or waits far longer than without a mutant. */
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
