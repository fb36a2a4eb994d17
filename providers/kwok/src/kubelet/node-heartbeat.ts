import {
  type Condition,
  formatMicroTime,
  formatTime,
  isConditionTrue,
  kinds,
  type Lease,
  type Milliseconds,
  type Node,
  parseTime,
} from '@kerf/apis'
import type { ProviderContext } from '@kerf/provider-contract'
import { type Controller, done, isNotFound, type Outcome, retryAfter, source } from '@kerf/runtime'
import { isOwnNode, terminatingSince } from '../instance-node.ts'
import { KUBELET_ANNOTATION } from '../labels.ts'
import type { KwokSettings } from '../settings.ts'
import { nodeAddress } from './address.ts'

const LEASE_NAMESPACE = 'kube-node-lease'
const LEASE_SECONDS = 40

/** Returns whether this code simulates the kubelet of the node. */
export type NodeChoice = (node: Node) => boolean

/** Returns whether a kubelet is running on the node. None is running if the instance is terminating or if the kubelet was stopped. */
export const hasKubelet = (node: Node, isSimulated: NodeChoice = isOwnNode): boolean =>
  isSimulated(node) &&
  terminatingSince(node) === undefined &&
  node.metadata.annotations?.[KUBELET_ANNOTATION] !== 'stopped'

/** Sets nodes to Ready after the configured delay, and renews their Leases. */
export class NodeHeartbeat {
  readonly #client
  readonly #clock
  readonly #settings: KwokSettings
  readonly #nodes
  readonly #isSimulated
  readonly #renewed = new Map<string, Milliseconds>()

  constructor(
    { client, informers, clock }: ProviderContext,
    settings: KwokSettings,
    isSimulated: NodeChoice = isOwnNode,
  ) {
    this.#isSimulated = isSimulated
    this.#client = client
    this.#clock = clock
    this.#settings = settings
    this.#nodes = informers.of(kinds.Node)
  }

  controller(): Controller {
    return {
      name: 'kwok.kubelet.node',
      sources: [source(this.#nodes, ({ before, after }) => nodeNames(after ?? before))],
      concurrency: 50,
      reconcile: (name, signal) => this.#reconcile(name, signal),
    }
  }

  async #reconcile(name: string, signal: AbortSignal): Promise<Outcome> {
    const { nodeReadyDelay, heartbeatInterval } = this.#settings
    const node = this.#nodes.get(name)
    if (node === undefined || !hasKubelet(node, this.#isSimulated)) {
      this.#renewed.delete(name)
      return done()
    }
    const wait = (parseTime(node.metadata.creationTimestamp) ?? 0) + nodeReadyDelay - this.#clock.now()
    if (wait > 0) return retryAfter(wait)
    try {
      if (!isConditionTrue(node, 'Ready')) await this.#reportReady(node, signal)
      if (heartbeatInterval <= 0) return done()
      const age = this.#clock.monotonic() - (this.#renewed.get(name) ?? Number.NEGATIVE_INFINITY)
      if (age < heartbeatInterval) return retryAfter(heartbeatInterval - age)
      await this.#renewLease(node, signal)
      return retryAfter(heartbeatInterval)
    } catch (error) {
      if (isNotFound(error)) return done()
      throw error
    }
  }

  async #reportReady(node: Node, signal: AbortSignal): Promise<void> {
    const name = node.metadata.name
    const body = { status: readyStatus(name, formatTime(this.#clock.now())) }
    await this.#client.patch(kinds.Node, { name }, { type: 'strategic', body }, { subresource: 'status', signal })
  }

  async #renewLease(node: Node, signal: AbortSignal): Promise<void> {
    const name = node.metadata.name
    const ref = { namespace: LEASE_NAMESPACE, name }
    const spec = {
      holderIdentity: name,
      leaseDurationSeconds: LEASE_SECONDS,
      renewTime: formatMicroTime(this.#clock.now()),
    }
    try {
      await this.#client.patch(kinds.Lease, ref, { type: 'merge', body: { spec } }, { signal })
    } catch (error) {
      if (!isNotFound(error)) throw error
      const lease: Lease = {
        apiVersion: 'coordination.k8s.io/v1',
        kind: 'Lease',
        metadata: {
          ...ref,
          ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name, uid: node.metadata.uid ?? '' }],
        },
        spec,
      }
      await this.#client.create(kinds.Lease, lease, { signal })
    }
    this.#renewed.set(name, this.#clock.monotonic())
  }
}

const nodeNames = (node: Node | undefined): readonly string[] =>
  node?.metadata.name === undefined ? [] : [node.metadata.name]

const readyStatus = (name: string, now: string): object => {
  const condition = (type: string, status: Condition['status'], reason: string, message: string): Condition => ({
    type,
    status,
    reason,
    message,
    lastHeartbeatTime: now,
    lastTransitionTime: now,
  })
  return {
    phase: 'Running',
    conditions: [
      condition('Ready', 'True', 'KubeletReady', 'kubelet is posting ready status'),
      condition('MemoryPressure', 'False', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'),
      condition('DiskPressure', 'False', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'),
      condition('PIDPressure', 'False', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'),
      condition('NetworkUnavailable', 'False', 'RouteCreated', 'simulated'),
    ],
    addresses: [{ type: 'InternalIP', address: nodeAddress(`node/${name}`) }],
  }
}
