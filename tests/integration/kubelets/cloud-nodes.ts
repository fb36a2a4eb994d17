import type { Node } from '@kerf/apis'
import type { KubeClient } from '@kerf/runtime'
import { NodeReports } from './node-reports.ts'

/**
 * Simulates the instances of a fake cloud: each running instance becomes a Node. Pods that are bound to such a Node run, and end when they
 * are deleted.
 */
export class CloudNodes {
  /** Returns the Nodes of the running instances, as they register. */
  readonly #registered: () => readonly Node[]
  readonly #nodes: NodeReports
  readonly #booted = new Set<string>()
  readonly #stop = new AbortController()
  #living: ReadonlySet<string> = new Set()
  #running: Promise<void> = Promise.resolve()

  constructor(client: KubeClient, registered: () => readonly Node[]) {
    this.#registered = registered
    this.#nodes = new NodeReports(client)
  }

  start(every = 300): void {
    this.#running = this.#loop(every)
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#running
  }

  async #loop(every: number): Promise<void> {
    while (!this.#stop.signal.aborted) {
      try {
        await this.#boot()
        await this.#nodes.send((node) => this.#living.has(node))
        await this.#nodes.runPods((node) => this.#living.has(node))
      } catch (error) {
        if (!this.#stop.signal.aborted) process.stderr.write(`nodes of the fake cloud: ${String(error)}\n`)
      }
      await new Promise((resolve) => setTimeout(resolve, every))
    }
  }

  async #boot(): Promise<void> {
    const nodes = this.#registered()
    this.#living = new Set(nodes.map(({ metadata }) => metadata.name))
    for (const { status, ...node } of nodes) {
      const { name } = node.metadata
      if (this.#booted.has(name)) continue
      if (await this.#nodes.register(node, { ...status?.capacity }, { ...status?.allocatable })) this.#booted.add(name)
    }
  }
}
