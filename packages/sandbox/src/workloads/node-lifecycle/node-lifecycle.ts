import {
  type Condition,
  formatTime,
  kinds,
  type Lease,
  type Milliseconds,
  type Node,
  type Pod,
  parseTime,
  type Taint,
} from '@kerf/apis'
import {
  type Controller,
  done,
  type Informer,
  isConflict,
  isNotFound,
  type Key,
  type Outcome,
  retry,
  retryAfter,
  type Source,
  source,
} from '@kerf/runtime'
import type { ClusterContext } from '../../objects/cluster-context.ts'
import { namespacedRef } from '../../objects/object-key.ts'
import { isReady } from '../../objects/pod-state.ts'
import { indexByNode, podsOn } from '../../objects/pods-on-node.ts'
import { same } from '../../objects/same.ts'
import { ownSource } from '../../objects/sources.ts'
import { unlessGone } from '../../objects/unless-gone.ts'

const LEASE_NAMESPACE = 'kube-node-lease'

const NOT_READY = 'node.kubernetes.io/not-ready'
const UNREACHABLE = 'node.kubernetes.io/unreachable'

/** The keys of the taints that node conditions other than Ready cause, keyed by condition type. */
const PRESSURE: Readonly<Record<string, string>> = {
  MemoryPressure: 'node.kubernetes.io/memory-pressure',
  DiskPressure: 'node.kubernetes.io/disk-pressure',
  PIDPressure: 'node.kubernetes.io/pid-pressure',
  NetworkUnavailable: 'node.kubernetes.io/network-unavailable',
}

const CORDONED = 'node.kubernetes.io/unschedulable'
const OWNED = new Set([NOT_READY, UNREACHABLE, CORDONED, ...Object.values(PRESSURE)])

/**
 * Returns the taints that a node must have because of its conditions and its field `unschedulable`. Taints with other keys do not change.
 */
const taintsFor = (node: Node, now: Milliseconds): Taint[] => {
  const conditions = new Map((node.status?.conditions ?? []).map((condition) => [condition.type, condition.status]))
  const ready = conditions.get('Ready')
  const present = node.spec?.taints ?? []
  const wanted: Taint[] = []
  const want = (key: string, effect: Taint['effect'], timeAdded?: string): void => {
    const known = present.find((taint) => taint.key === key && taint.effect === effect)
    wanted.push(known ?? { key, effect, ...(timeAdded === undefined ? {} : { timeAdded }) })
  }
  if (ready === 'False' || ready === 'Unknown') {
    const key = ready === 'False' ? NOT_READY : UNREACHABLE
    want(key, 'NoSchedule')
    want(key, 'NoExecute', formatTime(now))
  }
  for (const [type, key] of Object.entries(PRESSURE)) if (conditions.get(type) === 'True') want(key, 'NoSchedule')
  if (node.spec?.unschedulable === true) want(CORDONED, 'NoSchedule', formatTime(now))
  // A node that has never reported a Ready condition keeps its initial not-ready taint.
  const kept = present.filter((taint) => !OWNED.has(taint.key) || (ready === undefined && taint.key === NOT_READY))
  return [...kept, ...wanted.filter((taint) => !kept.includes(taint))]
}

/** Watches the Leases of nodes. Marks nodes with expired Leases as unreachable, and taints nodes according to their state. */
export class NodeLifecycle implements Controller {
  readonly name = 'node-lifecycle'
  readonly concurrency = 8
  readonly sources: readonly Source[]
  readonly #context: ClusterContext
  readonly #nodes: Informer<Node>
  readonly #leases: Informer<Lease>
  readonly #pods: Informer<Pod>

  constructor(context: ClusterContext) {
    this.#context = context
    this.#nodes = context.informers.of(kinds.Node)
    this.#leases = context.informers.of(kinds.Lease)
    this.#pods = context.informers.of(kinds.Pod)
    indexByNode(this.#pods)
    this.sources = [
      ownSource(context, kinds.Node),
      source(this.#leases, ({ before, after }) => {
        const shortened = after?.spec.leaseDurationSeconds !== before?.spec.leaseDurationSeconds
        return after?.metadata.namespace === LEASE_NAMESPACE && shortened ? [after.metadata.name] : []
      }),
    ]
  }

  async reconcile(name: Key): Promise<Outcome> {
    const node = this.#nodes.get(name)
    if (node === undefined) return done()
    const now = this.#context.clock.now()
    const lease = this.#leases.get(`${LEASE_NAMESPACE}/${name}`)
    const renewedAt = parseTime(lease?.spec.renewTime)
    const holdsUntil = renewedAt === undefined ? undefined : renewedAt + (lease?.spec.leaseDurationSeconds ?? 40) * 1000
    const ready = node.status?.conditions?.find((condition) => condition.type === 'Ready')
    try {
      if (holdsUntil !== undefined && now >= holdsUntil && ready !== undefined && ready.status !== 'Unknown') {
        await this.#declareLost(node, now)
        return done()
      }
      const taints = taintsFor(node, now)
      if (!same(taints, node.spec?.taints ?? [])) {
        const body = { metadata: { resourceVersion: node.metadata.resourceVersion }, spec: { taints } }
        await this.#context.client.patch(kinds.Node, { name }, { type: 'merge', body })
      }
      if (ready !== undefined && ready.status !== 'True') await this.#unreadyPods(name, now)
    } catch (error) {
      if (isNotFound(error)) return done()
      if (isConflict(error)) return retry()
      throw error
    }
    const lost = holdsUntil === undefined || ready === undefined || ready.status === 'Unknown'
    return lost ? done() : retryAfter(Math.max(1, holdsUntil - now))
  }

  async #declareLost(node: Node, now: Milliseconds): Promise<void> {
    const conditions: Condition[] = (node.status?.conditions ?? []).map((condition) => ({
      ...condition,
      status: 'Unknown',
      reason: 'NodeStatusUnknown',
      message: 'Kubelet stopped posting node status.',
      lastTransitionTime: formatTime(now),
    }))
    const body = { metadata: { resourceVersion: node.metadata.resourceVersion }, status: { conditions } }
    const ref = { name: node.metadata.name }
    await this.#context.client.patch(kinds.Node, ref, { type: 'strategic', body }, { subresource: 'status' })
    this.#context.events.publish({
      object: node,
      type: 'Normal',
      reason: 'NodeNotReady',
      message: `Node ${ref.name} status is now: NodeNotReady`,
    })
  }

  /** Marks the pods of a node that is not ready as not ready. */
  async #unreadyPods(name: string, now: Milliseconds): Promise<void> {
    for (const pod of [...podsOn(this.#pods, name)]) {
      if (!isReady(pod)) continue
      const lastTransitionTime = formatTime(now)
      const conditions = [{ type: 'Ready', status: 'False', reason: 'NodeNotReady', lastTransitionTime }]
      const body = { metadata: { uid: pod.metadata.uid }, status: { conditions } }
      const ref = namespacedRef(`${pod.metadata.namespace ?? ''}/${pod.metadata.name}`)
      await unlessGone(
        this.#context.client.patch(kinds.Pod, ref, { type: 'strategic', body }, { subresource: 'status' }),
      )
    }
  }
}
