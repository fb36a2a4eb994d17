import { Agent, get } from 'node:http'
import { quantile } from './quantile.ts'

/** Figures of the scrapes and health probes in a period, in milliseconds and bytes. The scrapes imitate those of Prometheus. */
export interface ScrapeFigures {
  readonly scrapes: number
  readonly failed: number
  readonly medianDuration: number
  readonly mostDuration: number
  /** The transferred bytes and the number of series of the last scrape. */
  readonly bytes: number
  readonly probes: number
  readonly probeP99: number
  readonly probeMost: number
}

const EVERY = 15_000
const PROBE_EVERY = 100
const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Scrapes a process every 15 s, and probes its health ten times a second. Keeps the connections of scrapes open, as Prometheus does. */
export class Scrapes {
  readonly #agent = new Agent({ keepAlive: true })
  readonly #ports: { readonly metrics: number; readonly health: number }
  readonly #every: number
  #durations: number[] = []
  #probes: number[] = []
  #bytes = 0
  #failed = 0
  #isOver = false

  constructor(ports: { readonly metrics: number; readonly health: number }, every = EVERY) {
    this.#ports = ports
    this.#every = every
    void this.#scrape()
    void this.#probe()
  }

  /** Returns the figures since the previous call. */
  take(): ScrapeFigures {
    const figures = {
      scrapes: this.#durations.length,
      failed: this.#failed,
      medianDuration: quantile(this.#durations, 0.5),
      mostDuration: quantile(this.#durations, 1),
      bytes: this.#bytes,
      probes: this.#probes.length,
      probeP99: quantile(this.#probes, 0.99),
      probeMost: quantile(this.#probes, 1),
    }
    this.#durations = []
    this.#probes = []
    this.#failed = 0
    return figures
  }

  stop(): void {
    this.#isOver = true
    this.#agent.destroy()
  }

  async #scrape(): Promise<void> {
    while (!this.#isOver) {
      const began = performance.now()
      const bytes = await this.#get(this.#ports.metrics, '/metrics')
      if (bytes === undefined) this.#failed++
      else {
        this.#durations.push(performance.now() - began)
        this.#bytes = bytes
      }
      await pause(Math.max(0, this.#every - (performance.now() - began)))
    }
  }

  async #probe(): Promise<void> {
    while (!this.#isOver) {
      const began = performance.now()
      if ((await this.#get(this.#ports.health, '/healthz')) !== undefined) this.#probes.push(performance.now() - began)
      await pause(PROBE_EVERY)
    }
  }

  /** Returns the length of the response. Returns undefined if there was none. */
  #get(port: number, path: string): Promise<number | undefined> {
    const options = { host: '127.0.0.1', port, path, agent: this.#agent, headers: { 'accept-encoding': 'gzip' } }
    return new Promise((resolve) => {
      const request = get(options, (response) => {
        let bytes = 0
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length
        })
        response.on('end', () => resolve(response.statusCode === 200 ? bytes : undefined))
        response.on('error', () => resolve(undefined))
      })
      request.on('error', () => resolve(undefined))
    })
  }
}

/** Returns a port that is currently free. */
export const freePort = async (): Promise<number> => {
  const { createServer } = await import('node:net')
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (typeof address !== 'object' || address === null) throw new Error('there is no free port')
  return address.port
}
