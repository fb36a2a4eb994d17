import { performance } from 'node:perf_hooks'

/** The time that a test takes without a mutant, in milliseconds. */
export interface Cost {
  /** Processor time. */
  readonly cpu: number
  /** The time during which the process was idle. */
  readonly idle: number
}

// References to the original functions, because a test may replace them with fakes.
const { setInterval, clearInterval } = globalThis

/** Returns the CPU time after which a repetition of the test counts as endless, in milliseconds. */
export const mostCpu = ({ cpu }: Cost): number => 20 * cpu + 10_000
const mostIdle = ({ idle }: Cost): number => 4 * idle + 5_000

export class Hung extends Error {}

const processorTime = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

/** Starts a measurement of CPU time and idle time. Wall time does not count, because every test is slow on a busy machine. */
export const stopwatch = (): (() => Cost) => {
  const cpu = processorTime()
  const { idle } = performance.eventLoopUtilization()
  return () => ({ cpu: processorTime() - cpu, idle: performance.eventLoopUtilization().idle - idle })
}

/** Runs a test. Rejects with `Hung` if the test uses much more CPU time or idle time than without a mutant. */
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
