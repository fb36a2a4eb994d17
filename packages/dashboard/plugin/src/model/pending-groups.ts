import type { PendingPod } from './pending-pods.ts'
import { podWorkload } from './pod-workload.ts'
import type { Refusal } from './reported.ts'

/** Pods of one workload that are pending for the same reason. */
export interface PendingGroup {
  readonly id: string
  readonly namespace: string
  /** The workload, for example `Deployment/payments`, or the pod itself if it has no owner. */
  readonly workload: string
  readonly pods: readonly PendingPod[]
  /** When the first of the pods became pending. */
  readonly since: number | undefined
  readonly reason: string
  readonly message: string
  /** For each NodePool, the reason why it cannot run the pods, if the controller reports it. */
  readonly refusals: readonly Refusal[]
}

const earliest = (times: readonly (number | undefined)[]): number | undefined => {
  const known = times.filter((time) => time !== undefined)
  return known.length === 0 ? undefined : Math.min(...known)
}

/** Matches amounts, but not digits within names. */
const AMOUNT = /(?<![\w.-])\d+(?:\.\d+)?(?:m|[KMGTPE]i?)?(?![\w-]|\.\w)/g

/** Returns the message without the parts that differ between pods with the same reason: the pod's name, and amounts. */
const reasonKey = ({ name, message }: PendingPod): string => message.replaceAll(name, '').replace(AMOUNT, '#')

/**
 * Groups pods by workload and reason. Messages that differ only in amounts have the same reason. The largest groups come first. Among
 * groups of the same size, the oldest is first.
 */
export const pendingGroups = (pods: readonly PendingPod[]): readonly PendingGroup[] => {
  const groups = new Map<string, PendingPod[]>()
  for (const pod of pods) {
    const id = [pod.namespace, podWorkload(pod.object), pod.reason, reasonKey(pod)].join('\0')
    groups.set(id, [...(groups.get(id) ?? []), pod])
  }
  const listed = Array.from(groups, ([id, members]): PendingGroup => {
    const [first] = members as [PendingPod, ...PendingPod[]]
    const { namespace, reason, message, refusals } = first
    const since = earliest(members.map((pod) => pod.since))
    return { id, namespace, workload: podWorkload(first.object), pods: members, since, reason, message, refusals }
  })
  return listed.sort(
    (a, b) => b.pods.length - a.pods.length || (a.since ?? 0) - (b.since ?? 0) || (a.id < b.id ? -1 : 1),
  )
}

/**
 * Merges groups of a workload that have the same text in a summary. They differ only in details that the summary does not show. The
 * largest groups come first.
 */
export const mergeGroups = (
  groups: readonly PendingGroup[],
  textOf: (group: PendingGroup) => string,
): readonly PendingGroup[] => {
  const same = Map.groupBy(groups, (group) => [group.namespace, group.workload, textOf(group)].join('\0'))
  const merged = Array.from(same.values(), (each): PendingGroup => {
    const [first] = each as [PendingGroup, ...PendingGroup[]]
    return { ...first, pods: each.flatMap(({ pods }) => pods), since: earliest(each.map(({ since }) => since)) }
  })
  return merged.sort((a, b) => b.pods.length - a.pods.length)
}

/** Returns the number of workloads that the groups belong to. A pod without an owner is one workload. */
export const workloadCount = (groups: readonly PendingGroup[]): number =>
  new Set(groups.map(({ namespace, workload }) => `${namespace}/${workload}`)).size

/** The kind of constraint that a reason is about, as summaries show it. */
export type Constraint =
  | 'access'
  | 'taint'
  | 'label'
  | 'limit'
  | 'size'
  | 'capacity'
  | 'topology'
  | 'volume'
  | 'device'
  | 'readiness'
  | 'other'

const CONSTRAINTS: readonly (readonly [RegExp, Constraint])[] = [
  [/^access\./, 'access'],
  [/^taint\./, 'taint'],
  [/^requirement\./, 'label'],
  [/^(nodepool\.(limit|node-limit)|ceiling)$/, 'limit'],
  [/^resources\./, 'size'],
  [/^(offering|instance-type|reservation|min-values)\.|^nodepool\.catalogue-empty$/, 'capacity'],
  [/^topology\./, 'topology'],
  [/^volume\./, 'volume'],
  [/^(device\.|pod\.device-claim)/, 'device'],
  [/^nodepool\.not-ready$/, 'readiness'],
]

export const constraintForCode = (code: string): Constraint =>
  CONSTRAINTS.find(([pattern]) => pattern.test(code))?.[1] ?? 'other'
