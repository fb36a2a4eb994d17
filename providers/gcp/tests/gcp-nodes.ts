import { type FakeGcp, gceNode } from '@kerf/provider-gcp/testing'
import type { KubeClient } from '@kerf/runtime'
import { NodeReports } from '../../../tests/integration/kubelets/node-reports.ts'

/**
 * Simulates the instances of Compute Engine: each running instance becomes a Node as its metadata defines it, with the labels of the cloud
 * controller manager. Pods that are bound to such a Node run, and end when they are deleted.
 */
export class GcpNodes {
  readonly #gcp: FakeGcp
  readonly #nodes: NodeReports
  readonly #booted = new Set<string>()
  readonly #stop = new AbortController()
  #living: ReadonlySet<string> = new Set()
  #running: Promise<void> = Promise.resolve()

  constructor(client: KubeClient, gcp: FakeGcp) {
    this.#gcp = gcp
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
        if (!this.#stop.signal.aborted) process.stderr.write(`nodes of Google Cloud: ${String(error)}\n`)
      }
      await new Promise((resolve) => setTimeout(resolve, every))
    }
  }

  async #boot(): Promise<void> {
    const running = this.#gcp.instances.all().filter(({ status }) => status === 'RUNNING')
    this.#living = new Set(running.map(({ body }) => body.name))
    for (const instance of running) {
      const { name } = instance.body
      if (this.#booted.has(name)) continue
      const { status, ...node } = gceNode(instance)
      if (await this.#nodes.register(node, { ...status?.capacity }, { ...status?.allocatable })) this.#booted.add(name)
    }
  }
}
