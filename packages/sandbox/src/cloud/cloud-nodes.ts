import { kinds, type Node } from '@kerf/apis'
import {
  type Controller,
  done,
  type Informer,
  isAlreadyExists,
  isNotFound,
  type Key,
  type Outcome,
  retryAfter,
  type Source,
} from '@kerf/runtime'
import type { NodeKubelet } from '../kubelet/node-kubelet.ts'
import type { ClusterContext } from '../objects/cluster-context.ts'
import type { CloudInstance } from './cloud-instance.ts'
import type { SimulatedCloud } from './simulated-cloud.ts'

const INSTANCE_INDEX = 'sandbox.cloud.instance'
const instanceId = (providerID: string | undefined): string =>
  providerID === undefined ? '' : providerID.slice(providerID.lastIndexOf('/') + 1)
const byInstance = (node: Node): string[] => [instanceId(node.spec?.providerID)]

/**
 * Creates the Node of a running instance, as its kubelet would. When an instance is terminated, stops the simulated kubelet and deletes the
 * Node, as a cloud's node controller does. Keys are instance ids.
 */
export class CloudNodes implements Controller {
  readonly name = 'cloud-nodes'
  readonly concurrency = 8
  readonly sources: readonly Source[]
  readonly #context: ClusterContext
  readonly #cloud: SimulatedCloud
  /** Absent in a cluster without kubelets (`kubelet: false`). */
  readonly #kubelet: NodeKubelet | undefined
  readonly #nodes: Informer<Node>
  readonly #registered = new Set<string>()

  constructor(context: ClusterContext, cloud: SimulatedCloud, kubelet: NodeKubelet | undefined) {
    this.#context = context
    this.#cloud = cloud
    this.#kubelet = kubelet
    this.#nodes = context.informers.of(kinds.Node)
    this.#nodes.index(INSTANCE_INDEX, byInstance)
    // The keys come from the cloud's events (`subscribe`), not from informers.
    this.sources = []
  }

  subscribe(enqueue: (key: Key) => void): () => void {
    const known = this.#cloud.instances().map(({ id }) => id)
    for (const id of known) enqueue(id)
    return this.#cloud.onEvent((event) => {
      if ('instance' in event) enqueue(event.instance.id)
    })
  }

  async reconcile(id: Key): Promise<Outcome> {
    // Reads the instance's actual state directly, without the faults that are injected into the calls of the cloud's clients.
    const instance = this.#cloud.find(id)
    if (instance === undefined) return done()
    switch (instance.state) {
      case 'pending':
        return done()
      case 'running':
        return await this.#register(instance)
      case 'terminating':
        return done()
      case 'terminated':
        return await this.#remove(instance)
    }
  }

  async #register(instance: CloudInstance): Promise<Outcome> {
    // A Node that a user deleted is not registered again, because a kubelet registers its Node only when it starts.
    if (this.#registered.has(instance.id)) return done()
    const delay = this.#cloud.registrationDelayOf(instance.id)
    if (delay === 'never') return done()
    const now = this.#context.clock.now()
    const at = (instance.runningAt ?? now) + delay
    if (now < at) return retryAfter(at - now)
    const { name, labels, annotations, taints, capacity, allocatable } = instance.node
    const node: Node = {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name, labels, ...(annotations === undefined ? {} : { annotations }) },
      spec: { providerID: instance.providerID, ...(taints === undefined ? {} : { taints }) },
    }
    try {
      await this.#context.client.create(kinds.Node, node)
    } catch (error) {
      if (!isAlreadyExists(error)) throw error
    }
    const body = { status: { capacity, allocatable } }
    await this.#context.client.patch(kinds.Node, { name }, { type: 'merge', body }, { subresource: 'status' })
    this.#registered.add(instance.id)
    return done()
  }

  async #remove(instance: CloudInstance): Promise<Outcome> {
    this.#registered.delete(instance.id)
    for (const node of [...this.#nodes.by(INSTANCE_INDEX, instance.id)]) {
      const name = node.metadata.name
      this.#kubelet?.setHealth(name, 'silent')
      const uid = node.metadata.uid
      try {
        await this.#context.client.delete(kinds.Node, { name }, uid === undefined ? {} : { preconditions: { uid } })
      } catch (error) {
        if (!isNotFound(error)) throw error
      }
    }
    return done()
  }
}
