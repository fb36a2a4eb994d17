import {
  findCondition,
  isConditionTrue,
  karpenterKinds,
  type Node,
  type NodeClaim,
  type Pod,
  parseResources,
  taints,
} from '@kerf/apis'
import type { Environment } from '../environment/environment.ts'
import { isOfDaemonSet } from './daemon-pods.ts'
import { claimExpiry } from './expiry.ts'
import type { MakeInvariant } from './invariant.ts'

const isOver = ({ status }: Pod): boolean => ['Succeeded', 'Failed'].includes(status?.phase ?? '')
const podCpu = (pods: readonly Pod[]): bigint =>
  pods.reduce(
    (sum, { spec }) =>
      sum +
      spec.containers.reduce((each, { resources }) => each + (parseResources(resources?.requests)['cpu'] ?? 0n), 0n),
    0n,
  )

const isOpen = (node: Node): boolean =>
  node.metadata.deletionTimestamp === undefined &&
  node.spec.unschedulable !== true &&
  !node.spec.taints?.some(({ key }) => key === taints.disrupted.key)

/** Returns the free CPU of all initialized nodes that accept pods. Does not subtract pods that were created after the given time. */
const freeCpu = (environment: Environment, since: number): bigint => {
  const pods = environment.pods().filter((pod) => !isOver(pod))
  const ready = new Set(
    environment.claims().flatMap((each) => (isConditionTrue(each, 'Initialized') ? [each.status?.nodeName] : [])),
  )
  return environment
    .nodes()
    .filter((node) => isOpen(node) && ready.has(node.metadata.name))
    .reduce((sum, node) => {
      const used = podCpu(
        pods.filter(
          (pod) =>
            // A timestamp has a resolution of one second, so a pod created in that second counts as created after it.
            pod.spec.nodeName === node.metadata.name &&
            Date.parse(pod.metadata.creationTimestamp ?? '') + 1_000 <= since,
        ),
      )
      return sum + (parseResources(node.status?.allocatable)['cpu'] ?? 0n) - used
    }, 0n)
}

/**
 * While a replacement is launching, Kerf deletes no node whose pods would not fit on the other nodes. Ignores pods that were created after
 * Kerf chose the node, because kube-scheduler decides which pods get the capacity. Also ignores pods that took the capacity because their
 * own planned node failed to launch.
 */
export const replacementsFirst: MakeInvariant = (environment, report) => {
  const since = new Map<string, number>()
  /**
   * The last time at which a NodeClaim was deleted without a disruption reason, or a node was cordoned. Since then, capacity that Kerf
   * planned with may be gone.
   */
  let forcedAt = Number.NEGATIVE_INFINITY
  /** The nodes that users have cordoned. */
  let cordoned: ReadonlySet<string> = new Set()
  return {
    name: 'replacements-first',
    always: () => {
      const isForced = environment
        .claims()
        .some(
          (claim) =>
            claim.metadata.deletionTimestamp !== undefined &&
            findCondition(claim, 'DisruptionReason')?.status !== 'True',
        )
      const closed = environment
        .nodes()
        .flatMap(({ metadata, spec }) => (spec.unschedulable === true ? [metadata.name] : []))
      if (isForced || closed.some((name) => !cordoned.has(name))) forcedAt = environment.clock.now()
      cordoned = new Set(closed)
      for (const { metadata, spec } of environment.nodes()) {
        const name = metadata.name
        if (!spec.taints?.some(({ key }) => key === taints.disrupted.key)) since.delete(name)
        else if (!since.has(name)) since.set(name, environment.clock.now())
      }
      return []
    },
    acts: ({ verb, kind, ref }) => {
      if (verb !== 'delete' || kind?.kind !== karpenterKinds.NodeClaim.kind) return
      const claims = environment.claims()
      const claim = claims.find(({ metadata }) => metadata.name === ref?.name)
      const reason = claim === undefined ? undefined : findCondition(claim, 'DisruptionReason')
      if (claim === undefined || claim.metadata.deletionTimestamp !== undefined || reason?.status !== 'True') return
      // Expiration does not wait for a replacement.
      if (environment.clock.now() >= claimExpiry(claim)) return
      const nodeName = claim.status?.nodeName ?? ''
      // Kerf deletes the NodeClaim before the Node. If the Node is already being deleted, someone else deleted it.
      const node = environment.nodes().find(({ metadata }) => metadata.name === nodeName)
      if (node?.metadata.deletionTimestamp !== undefined) return
      const marked = since.get(nodeName) ?? environment.clock.now()
      if (forcedAt >= marked) return
      const now = environment.clock.monotonic()
      const from = marked - environment.clock.now() + now
      if (environment.processes.overlaps.within(from, now) || environment.clockSkews.within(from, now)) return
      const coming = claims.filter((each) => !isConditionTrue(each, 'Initialized'))
      const isNewer = (each: NodeClaim): boolean => Date.parse(each.metadata.creationTimestamp ?? '') + 1_000 > marked
      if (!coming.some(isNewer) || !coming.every(isNewer)) return
      const mine = environment
        .pods()
        .filter((pod) => !isOver(pod) && pod.spec.nodeName === nodeName && !isOfDaemonSet(pod))
      const free = freeCpu(environment, marked)
      if (podCpu(mine) > free)
        report(`node ${nodeName} is deleted before there is free capacity for its ${mine.length} pods`)
    },
  }
}
