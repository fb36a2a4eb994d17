import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../../cli/src/main.ts', import.meta.url))

/** A port that was free a moment ago. */
export const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address !== 'object') throw new Error('a listening server has an address')
  return address.port
}

/** `kerf run` as a process of its own. */
export class KerfProcess {
  readonly #child: ChildProcess
  readonly #ended: Promise<number>
  #output = ''

  private constructor(child: ChildProcess) {
    this.#child = child
    const note = (text: string): void => {
      this.#output += text
    }
    child.stdout?.setEncoding('utf8').on('data', note)
    child.stderr?.setEncoding('utf8').on('data', note)
    this.#ended = once(child, 'close').then(([code, signal]) => {
      if (signal === null) return Number(code)
      this.#output += `\n(ended by ${signal})\n`
      return -1
    })
  }

  static start(kubeconfig: string, flags: readonly string[], more: Readonly<Record<string, string>> = {}): KerfProcess {
    const ports = ['--metrics-port=0', '--health-probe-port=0']
    const args = [
      '--disable-warning=ExperimentalWarning',
      main,
      'run',
      `--kubeconfig=${kubeconfig}`,
      ...ports,
      ...flags,
    ]
    const env = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', ...more }
    return new KerfProcess(spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'], env }))
  }

  /** Everything it wrote so far. */
  get output(): string {
    return this.#output
  }

  /** Ends it as the kernel would, with no chance to put anything right. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL')
    await this.#ended
  }

  /** Asks it to end; answers its exit code. */
  async stop(): Promise<number> {
    this.#child.kill('SIGTERM')
    return await this.#ended
  }

  /** The exit code of a process that ends by itself. */
  get ended(): Promise<number> {
    return this.#ended
  }
}
