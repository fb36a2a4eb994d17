import {
  type Condition,
  type CSINode,
  formatMicroTime,
  formatTime,
  kinds,
  type Lease,
  type Milliseconds,
  type Node,
  ownValue,
  parseTime,
} from '@kerf/apis'
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
import type { ClusterContext } from '../objects/cluster-context.ts'
import { ownSource } from '../objects/sources.ts'
import { Addresses } from './addresses.ts'
import { ANNOTATION, HEARTBEAT_GRACE, type KubeletOptions, parseDurationOr } from './kubelet-options.ts'

const LEASE_NAMESPACE = 'kube-node-lease'

const HEALTHY: readonly (readonly [string, string, string])[] = [
  ['MemoryPressure', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'],
  ['DiskPressure', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'],
  ['PIDPressure', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'],
]

/** The health of a node, as set by a test or an injected fault. */
export type NodeHealth = 'healthy' | 'not-ready' | 'silent'

/**
 * Simulates what kubelets do for their nodes: creates a CSINode, makes the Node Ready after a delay, and renews its Lease. A test
 * may make a node report NotReady, or make it silent as if its instance had died.
 */
export class NodeKubelet implements Controller {
  readonly name = 'kubelet.node'
  readonly concurrency = 16
  readonly sources: readonly Source[]
  readonly #context: ClusterContext
  readonly #options: KubeletOptions
  readonly #nodes: Informer<Node>
  readonly #leases: Informer<Lease>
  readonly #csiNodes: Informer<CSINode>
  readonly #hosts = new Addresses(10)
  readonly #health = new Map<string, NodeHealth>()
  readonly #wake = new Set<(key: Key) => void>()
  /** The wall-clock time of each node's last Lease renewal, kept until the informer shows that renewal. */
  readonly #renewed = new Map<string, Milliseconds>()

  constructor(context: ClusterContext, options: KubeletOptions) {
    this.#context = context
    this.#options = options
    this.#nodes = context.informers.of(kinds.Node)
    this.#leases = context.informers.of(kinds.Lease)
    this.#csiNodes = context.informers.of(kinds.CSINode)
    this.#nodes.onChange(({ before, after }) => {
      const name = before?.metadata.name ?? ''
      if (before === undefined || before.metadata.uid === after?.metadata.uid) return
      this.#renewed.delete(name)
      // A new instance with the same name starts as healthy.
      this.#health.delete(name)
      if (after === undefined) this.#hosts.release(name)
    })
    this.sources = [ownSource(context, kinds.Node)]
  }

  subscribe(enqueue: (key: Key) => void): () => void {
    this.#wake.add(enqueue)
    return () => this.#wake.delete(enqueue)
  }

  /** Sets a node's health. While a node is silent, its pods are not updated. */
  setHealth(name: string, health: NodeHealth): void {
    if (health === 'healthy') this.#health.delete(name)
    else this.#health.set(name, health)
    for (const enqueue of this.#wake) enqueue(name)
  }

  healthOf(name: string): NodeHealth {
    return this.#health.get(name) ?? 'healthy'
  }

  /** Returns whether these kubelets simulate the node and the node is not silent. */
  serves(name: string): boolean {
    const node = this.#nodes.get(name)
    return node !== undefined && this.#options.plays(node) && this.healthOf(name) !== 'silent'
  }

  /** Returns whether the node has reported its Ready condition. */
  hasBooted(name: string): boolean {
    return this.#nodes.get(name)?.status?.conditions?.some((condition) => condition.type === 'Ready') ?? false
  }

  addressOf(name: string): string {
    return this.#hosts.of(name)
  }

  async reconcile(name: Key): Promise<Outcome> {
    const node = this.#nodes.get(name)
    if (node === undefined || !this.#options.plays(node)) return done()
    const now = this.#context.clock.now()
    const created = parseTime(node.metadata.creationTimestamp) ?? now
    const bootedAt =
      created + parseDurationOr(node.metadata.annotations?.[ANNOTATION.bootAfter], this.#options.bootDelay)
    if (now < bootedAt) return Number.isFinite(bootedAt) ? retryAfter(bootedAt - now) : done()
    const health = this.healthOf(name)
    try {
      if (health === 'silent') return await this.#lastBreath(node, now)
      await this.#introduce(node)
      const period = this.#options.heartbeatPeriod
      const ready = node.status?.conditions?.find((condition) => condition.type === 'Ready')
      const renewedAt = this.#renewedAt(name)
      const wrong = ready?.status !== (health === 'healthy' ? 'True' : 'False')
      if (wrong || renewedAt === undefined || now >= renewedAt + period) {
        await this.#renew(node, now, period + HEARTBEAT_GRACE)
        if (wrong) await this.#writeStatus(node, health === 'healthy', now)
        return retryAfter(period)
      }
      return retryAfter(renewedAt + period - now)
    } catch (error) {
      if (isNotFound(error)) return done()
      throw error
    }
  }

  #renewedAt(name: string): Milliseconds | undefined {
    return this.#renewed.get(name) ?? parseTime(this.#leases.get(`${LEASE_NAMESPACE}/${name}`)?.spec.renewTime)
  }

  /**
   * Shortens the node's Lease when it becomes silent. The control plane notices the silence of a real kubelet after 40 s, because a real
   * kubelet renews its Lease every ten seconds. The Lease of a simulated kubelet must expire after the same time.
   */
  async #lastBreath(node: Node, now: Milliseconds): Promise<Outcome> {
    const lease = this.#leases.get(`${LEASE_NAMESPACE}/${node.metadata.name ?? ''}`)
    if (lease !== undefined && lease.spec.leaseDurationSeconds !== HEARTBEAT_GRACE / 1000) {
      await this.#renew(node, now, HEARTBEAT_GRACE)
    }
    return done()
  }

  async #renew(node: Node, now: Milliseconds, holdsFor: Milliseconds): Promise<void> {
    const name = node.metadata.name ?? ''
    const spec = {
      holderIdentity: name,
      leaseDurationSeconds: Math.ceil(holdsFor / 1000),
      renewTime: formatMicroTime(now),
    }
    const ref = { namespace: LEASE_NAMESPACE, name }
    if (this.#leases.get(`${LEASE_NAMESPACE}/${name}`) === undefined && !this.#renewed.has(name)) {
      const owner = { apiVersion: 'v1', kind: 'Node', name, uid: node.metadata.uid ?? '' }
      const metadata = { ...ref, ownerReferences: [owner] }
      const lease: Lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata, spec }
      try {
        await this.#context.client.create(kinds.Lease, lease)
        this.#renewed.set(name, now)
        return
      } catch (error) {
        if (!isAlreadyExists(error)) throw error
      }
    }
    try {
      await this.#context.client.patch(kinds.Lease, ref, { type: 'merge', body: { spec } })
      this.#renewed.set(name, now)
    } catch (error) {
      this.#renewed.delete(name)
      throw error
    }
  }

  async #writeStatus(node: Node, ready: boolean, now: Milliseconds): Promise<void> {
    const name = node.metadata.name ?? ''
    const present = new Map((node.status?.conditions ?? []).map((condition) => [condition.type, condition]))
    const condition = (type: string, status: 'True' | 'False', reason: string, message: string): Condition => ({
      type,
      status,
      reason,
      message,
      lastHeartbeatTime: formatTime(now),
      lastTransitionTime:
        present.get(type)?.status === status
          ? (present.get(type)?.lastTransitionTime ?? formatTime(now))
          : formatTime(now),
    })
    const conditions = HEALTHY.map(([type, reason, message]) => condition(type, 'False', reason, message))
    conditions.push(
      ready
        ? condition('Ready', 'True', 'KubeletReady', 'kubelet is posting ready status')
        : condition('Ready', 'False', 'KubeletNotReady', 'container runtime is down'),
    )
    const status = {
      conditions,
      phase: 'Running',
      addresses: [
        { type: 'InternalIP', address: this.#hosts.of(name) },
        { type: 'Hostname', address: name },
      ],
      nodeInfo: {
        kubeletVersion: 'v1.36.0-sandbox',
        containerRuntimeVersion: 'sandbox://1',
        kernelVersion: 'sandbox',
        osImage: 'Sandbox',
        operatingSystem: node.metadata.labels?.['kubernetes.io/os'] ?? 'linux',
        architecture: node.metadata.labels?.['kubernetes.io/arch'] ?? 'amd64',
        ...node.status?.nodeInfo,
      },
    }
    const body = { metadata: { uid: node.metadata.uid }, status }
    await this.#context.client.patch(kinds.Node, { name }, { type: 'strategic', body }, { subresource: 'status' })
  }

  /** Sets the topology labels on a Node, as a real kubelet does when a volume driver registers with it. */
  async #labelTopology({ metadata: { name, labels = {} } }: Node): Promise<void> {
    const missing = this.#options.driverTopology.flatMap(({ alias, label, values = [] }): [string, string][] => {
      const value = ownValue(labels, label)
      if (value === undefined || Object.hasOwn(labels, alias)) return []
      return [[alias, values.find(({ means }) => means === value)?.written ?? value]]
    })
    if (missing.length === 0) return
    const body = { metadata: { labels: Object.fromEntries(missing) } }
    await this.#context.client.patch(kinds.Node, { name }, { type: 'merge', body })
  }

  async #introduce(node: Node): Promise<void> {
    const name = node.metadata.name ?? ''
    if (this.#csiNodes.get(name) !== undefined) return
    await this.#labelTopology(node)
    const owner = { apiVersion: 'v1', kind: 'Node', name, uid: node.metadata.uid ?? '' }
    const csiNode: CSINode = {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'CSINode',
      metadata: { name, ownerReferences: [owner] },
      spec: {
        drivers: this.#options.csiDrivers.map((driver) => ({
          name: driver.name,
          nodeID: node.spec?.providerID ?? name,
          topologyKeys: driver.topologyKeys ?? ['topology.kubernetes.io/zone'],
          ...(driver.limit === undefined ? {} : { allocatable: { count: driver.limit } }),
        })),
      },
    }
    try {
      await this.#context.client.create(kinds.CSINode, csiNode)
    } catch (error) {
      if (!isAlreadyExists(error)) throw error
    }
  }
}
