import {
  findCondition,
  isConditionTrue,
  karpenterKinds,
  kinds,
  type Node,
  type Pod,
  parseResources,
  taints,
} from '@kerf/apis'
import type { Environment } from '../environment/environment.ts'
import { hasForeignNodes } from '../runs/foreign-nodes.ts'
import { isOfDaemonSet } from './daemon-pods.ts'
import type { MakeInvariant } from './invariant.ts'

const WRITES: ReadonlySet<string> = new Set(['create', 'update', 'patch', 'delete'])

const isActive = ({ metadata, status }: Pod): boolean =>
  metadata.deletionTimestamp === undefined && !['Succeeded', 'Failed'].includes(status?.phase ?? '')

const podCpu = (pods: readonly Pod[]): bigint =>
  pods.reduce(
    (sum, { spec }) =>
      sum +
      spec.containers.reduce((each, { resources }) => each + (parseResources(resources?.requests)['cpu'] ?? 0n), 0n),
    0n,
  )

const isOpen = ({ metadata, spec }: Node): boolean =>
  metadata.deletionTimestamp === undefined &&
  spec.unschedulable !== true &&
  spec.taints?.some(({ key }) => key === taints.disrupted.key) !== true

/**
 * Returns the free CPU of Kerf's own nodes, including planned nodes, except the node `without`. Does not subtract pods that were created
 * after `since`.
 */
const ownCapacity = (environment: Environment, without: string, since: number): bigint => {
  const nodes = new Map(environment.nodes().map((each) => [each.metadata.name, each]))
  const pods = environment.pods()
  return environment.claims().reduce((sum, { metadata, status }) => {
    const name = status?.nodeName ?? ''
    const there = nodes.get(name)
    if (metadata.deletionTimestamp !== undefined || name === without) return sum
    if (there !== undefined && !isOpen(there)) return sum
    const used = pods.filter(
      (pod) =>
        name !== '' &&
        pod.spec.nodeName === name &&
        isActive(pod) &&
        // A timestamp has a resolution of one second, so the pod may be up to a second younger.
        Date.parse(pod.metadata.creationTimestamp ?? '') + 1_000 <= since,
    )
    const all = parseResources(there?.status?.allocatable ?? status?.allocatable)['cpu'] ?? 0n
    return sum + all - podCpu(used)
  }, 0n)
}

/**
 * With `FOREIGN_NODES=ignore`, Kerf ignores another autoscaler's nodes. It never writes to them, publishes no event that nominates one of
 * them for a pod, and does not consolidate a node if its pods would fit only on them.
 */
export const foreignNodesAreLeft: MakeInvariant = (environment, report) => {
  const isUsed = hasForeignNodes(environment.run)
  const since = new Map<string, number>()
  let forcedAt = Number.NEGATIVE_INFINITY
  let closed: ReadonlySet<string> = new Set()
  const isForeign = (name: string | undefined): boolean =>
    environment.foreignNodes().some(({ metadata }) => metadata.name === name)
  const consolidated = (name: string | undefined): void => {
    const claim = environment.claims().find(({ metadata }) => metadata.name === name)
    const reason = claim === undefined ? undefined : findCondition(claim, 'DisruptionReason')
    if (claim === undefined || claim.metadata.deletionTimestamp !== undefined || reason?.status !== 'True') return
    const nodeName = claim.status?.nodeName ?? ''
    const marked = since.get(nodeName) ?? environment.clock.now()
    if (reason.reason !== 'Underutilized' || forcedAt >= marked) return
    const now = environment.clock.monotonic()
    const from = marked - environment.clock.now() + now
    if (environment.processes.overlaps.within(from, now) || environment.clockSkews.within(from, now)) return
    const mine = environment
      .pods()
      .filter((pod) => pod.spec.nodeName === nodeName && isActive(pod) && !isOfDaemonSet(pod))
    if (podCpu(mine) > ownCapacity(environment, nodeName, marked))
      report(
        `node ${nodeName} is consolidated, and only nodes of another autoscaler have room for its ${mine.length} pods`,
      )
  }
  return {
    name: 'foreign-nodes-are-left',
    always: () => {
      if (!isUsed) return []
      const nodes = environment.nodes()
      // Users may have cordoned or deleted nodes since Kerf planned with them.
      const now = new Set(nodes.filter(({ spec }) => spec.unschedulable === true).map(({ metadata }) => metadata.name))
      const isForced = environment
        .claims()
        .some((each) => each.metadata.deletionTimestamp !== undefined && !isConditionTrue(each, 'DisruptionReason'))
      if (isForced || [...now].some((name) => !closed.has(name))) forcedAt = environment.clock.now()
      closed = now
      for (const { metadata, spec } of nodes) {
        const isMarked = spec.taints?.some(({ key }) => key === taints.disrupted.key) === true
        if (!isMarked) since.delete(metadata.name)
        else if (!since.has(metadata.name)) since.set(metadata.name, environment.clock.now())
      }
      return []
    },
    acts: ({ verb, kind, ref }) => {
      if (!isUsed) return
      if (kind?.kind === kinds.Node.kind && WRITES.has(verb) && isForeign(ref?.name))
        report(`${verb} of node ${ref?.name}, which is another autoscaler's`)
      if (kind?.kind === karpenterKinds.NodeClaim.kind && verb === 'delete') consolidated(ref?.name)
    },
    quiet: () =>
      !isUsed
        ? []
        : environment.processes.events().flatMap(({ object, reason, message }) => {
            const named = environment.foreignNodes().find(({ metadata }) => message.includes(`node/${metadata.name}`))
            return named === undefined
              ? []
              : [`an event ${reason} of ${object.kind} ${object.metadata.name} names node ${named.metadata.name}`]
          }),
  }
}
