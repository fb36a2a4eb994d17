import { kinds } from '@kerf/apis'
import { type FakeAzure, type FakeVm, VM_TYPE, vmBody, vmNode } from '@kerf/provider-azure/testing'
import type { KubeClient } from '@kerf/runtime'
import { ignoreGone } from '../../../tests/integration/kubelets/kubelet-status.ts'
import { NodeReports } from '../../../tests/integration/kubelets/node-reports.ts'

/**
 * Simulates the VMs of Azure: each running VM becomes a Node as its custom data defines it, with the labels of the cloud controller
 * manager. Pods that are bound to such a Node run, and end when they are deleted.
 */
export class AzureNodes {
  readonly #client: KubeClient
  readonly #azure: FakeAzure
  readonly #nodes: NodeReports
  readonly #booted = new Set<string>()
  readonly #stop = new AbortController()
  #living: ReadonlySet<string> = new Set()
  #running: Promise<void> = Promise.resolve()

  constructor(client: KubeClient, azure: FakeAzure) {
    this.#client = client
    this.#azure = azure
    this.#nodes = new NodeReports(client)
  }

  start(every = 300): void {
    this.#running = this.#loop(every)
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#running
  }

  vms(): readonly FakeVm[] {
    return this.#azure
      .resources()
      .filter(({ type }) => type === VM_TYPE)
      .map(vmBody)
  }

  async #loop(every: number): Promise<void> {
    while (!this.#stop.signal.aborted) {
      try {
        await this.#boot()
        await this.#nodes.send((node) => this.#living.has(node))
        await this.#nodes.runPods((node) => this.#living.has(node))
      } catch (error) {
        if (!this.#stop.signal.aborted) process.stderr.write(`nodes of Azure: ${String(error)}\n`)
      }
      await new Promise((resolve) => setTimeout(resolve, every))
    }
  }

  async #boot(): Promise<void> {
    const running = this.vms().filter(({ properties }) => properties.provisioningState === 'Succeeded')
    this.#living = new Set(running.map(({ name }) => name))
    for (const vm of running) {
      if (this.#booted.has(vm.id)) continue
      const { node, amounts, status } = vmNode(this.#azure, vm)
      if (!(await this.#nodes.register(node, amounts.capacity, amounts.allocatable))) continue
      const ref = { name: vm.name }
      await this.#client
        .patch(kinds.Node, ref, { type: 'merge', body: { status } }, { subresource: 'status' })
        .catch(ignoreGone)
      this.#booted.add(vm.id)
    }
  }
}
