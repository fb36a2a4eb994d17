import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Question, Responses } from './cluster-process.ts'

interface Reply {
  readonly id: number
  readonly response?: unknown
  readonly error?: string
}

/** The client with which run.ts sends requests to the cluster's process. */
export class ClusterClient {
  readonly #child: ChildProcess
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>()
  #last = 0

  private constructor(child: ChildProcess) {
    this.#child = child
    child.on('message', (message) => {
      const { id, response, error } = message as Reply
      const waiting = this.#waiting.get(id)
      this.#waiting.delete(id)
      if (error === undefined) waiting?.resolve(response)
      else waiting?.reject(new Error(error))
    })
    child.on('close', (code) => {
      for (const waiting of this.#waiting.values())
        waiting.reject(new Error(`the cluster's process ended with ${code}`))
    })
  }

  /** Starts the process. Resolves when the cluster is full. */
  static async start(nodes: number, pace: number): Promise<ClusterClient> {
    const script = fileURLToPath(new URL('cluster-process.ts', import.meta.url))
    // 200,000 pods need more memory than V8's default heap limit allows.
    const execArgv = ['--disable-warning=ExperimentalWarning', '--max-old-space-size=16000']
    const child = fork(script, [String(nodes), String(pace)], { execArgv })
    const client = new ClusterClient(child)
    const [message] = await Promise.race([
      once(child, 'message'),
      once(child, 'close').then(() => {
        throw new Error('the cluster could not be filled')
      }),
    ])
    if ((message as Reply).id !== 0) throw new Error('the cluster spoke before it was full')
    return client
  }

  get pid(): number {
    return this.#child.pid ?? 0
  }

  async ask<Ask extends keyof Responses>(ask: Ask, limit?: number): Promise<Responses[Ask]> {
    const question: Question = { id: ++this.#last, ask, ...(limit !== undefined && { limit }) }
    const waiting = Promise.withResolvers<unknown>()
    this.#waiting.set(question.id, waiting)
    this.#child.send(question)
    return (await waiting.promise) as Responses[Ask]
  }

  async close(): Promise<void> {
    if (this.#child.exitCode !== null) return
    const ended = once(this.#child, 'exit')
    this.#child.kill('SIGKILL')
    await ended
  }
}
