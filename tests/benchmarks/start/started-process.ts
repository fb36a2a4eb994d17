import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { get } from 'node:http'
import { processCpu, processMemory } from '../process-usage.ts'

/** One start of the controller. Times are in milliseconds, and memory is in MiB. */
export interface Start {
  /** The time from the start of the process until it reported that it is ready. */
  readonly ready: number
  /** User plus system CPU time from process start until it became ready. */
  readonly cpu: number
  /** The resident memory after the idle time. `shared` is the part with pages of Node's program and libraries. */
  readonly resident: number
  readonly shared: number
  /** The processor time during the idle time. */
  readonly idleCpu: number
}

export interface StartOptions {
  readonly program: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly healthPort: number
  readonly metricsPort: number
  /** A metric that the process publishes only after it has filled its caches. From that time on, the process counts as idle. */
  readonly restsWith?: string
  readonly idleSeconds: number
}

const TIMEOUT = 10 * 60_000
const LOOK_EVERY = 5

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

const isReady = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    get({ port, host: '127.0.0.1', path: '/readyz', agent: false }, (answer) => {
      answer.resume()
      resolve(answer.statusCode === 200)
    }).on('error', () => resolve(false))
  })

/** Starts a process, waits until it is ready, leaves it idle for a while, and stops it. Throws if it does not become ready. */
export const measureStart = async (options: StartOptions): Promise<Start> => {
  const { program, args, env, healthPort, metricsPort, restsWith, idleSeconds } = options
  const begin = performance.now()
  const child = spawn(program, [...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-4_000)
    })
  const ended = once(child, 'close')
  try {
    const { pid = 0 } = child
    while (!(await isReady(healthPort))) {
      if (child.exitCode !== null || performance.now() - begin > TIMEOUT)
        throw new Error(`kerf run did not become ready: ${output}`)
      await pause(LOOK_EVERY)
    }
    const ready = performance.now() - begin
    const cpu = processCpu(pid)
    // Use a new connection each time, because the server may close an idle connection just when a request reuses it.
    const scrape = async (): Promise<string> =>
      await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`, { headers: { connection: 'close' } })).text()
    const rests = async (): Promise<boolean> => restsWith === undefined || (await scrape()).includes(`\n${restsWith}{`)
    while (!(await rests())) {
      if (performance.now() - begin > TIMEOUT) throw new Error(`kerf run never had ${restsWith}: ${output}`)
      await pause(1_000)
    }
    const rest = processCpu(pid)
    await pause(idleSeconds * 1000)
    if (child.exitCode !== null) throw new Error(`kerf run ended by itself with ${child.exitCode}: ${output}`)
    return {
      ready,
      cpu,
      resident: processMemory(pid, 'VmRSS'),
      shared: processMemory(pid, 'RssFile'),
      idleCpu: processCpu(pid) - rest,
    }
  } finally {
    child.kill('SIGTERM')
    await ended
  }
}
