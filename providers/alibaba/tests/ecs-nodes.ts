import { type FakeAccount, registeredNode } from '@kerf/provider-alibaba/testing'
import type { KubeClient } from '@kerf/runtime'
import { NodeReports } from '../../../tests/integration/kubelets/node-reports.ts'

/**
 * Simulates the instances of ECS: each running instance becomes a Node as its user data defines it, with the labels of ACK's cloud controller
 * manager. Pods that are bound to such a Node run, and end when they are deleted.
 */
export class EcsNodes {
  readonly #account: FakeAccount
  readonly #nodes: NodeReports
  readonly #booted = new Set<string>()
  readonly #stop = new AbortController()
  #living: ReadonlySet<string> = new Set()
  #running: Promise<void> = Promise.resolve()

  constructor(client: KubeClient, account: FakeAccount) {
    this.#account = account
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
        if (!this.#stop.signal.aborted) process.stderr.write(`nodes of Alibaba Cloud: ${String(error)}\n`)
      }
      await new Promise((resolve) => setTimeout(resolve, every))
    }
  }

  async #boot(): Promise<void> {
    const account = this.#account
    const running = account.instances.living().filter((instance) => account.statusOf(instance) === 'Running')
    const nodes = running.map((instance) => registeredNode(account, instance))
    this.#living = new Set(nodes.map(({ metadata }) => metadata.name))
    for (const { status, ...node } of nodes) {
      const { name } = node.metadata
      if (this.#booted.has(name)) continue
      if (await this.#nodes.register(node, { ...status?.capacity }, { ...status?.allocatable })) this.#booted.add(name)
    }
  }
}
