import type { DecisionRow } from './decisions.ts'
import { workloadOf } from './pending-groups.ts'
import { objectLabel, objectName, textAt } from './read.ts'

/** Decisions with the same reason about several objects of one workload or one NodePool. */
export interface DecisionGroup {
  readonly id: string
  /** The workload for pods (`shop/payments`), the NodePool for nodes, or the object itself if neither is known. */
  readonly owner: string
  readonly reason: string
  readonly type: string
  /** The number of objects. */
  readonly subjects: number
  /** The total number of decisions about these objects. */
  readonly count: number
  readonly time: number
  /** The latest message. */
  readonly message: string
  /** Newest first. */
  readonly rows: readonly DecisionRow[]
}

/** Returns the owner of the object that a decision is about. */
export type OwnerOf = (row: DecisionRow) => string

const keyOf = (kind: string, namespace: string, name: string): string => [kind, namespace, name].join('\0')

/** Matches the suffix that Kubernetes adds to a workload's name: an ordinal, a template hash, or a random string. */
const SUFFIX = /-(\d+|[bcdfghjklmnpqrstvwxz2456789]{5,10})$/

/**
 * Returns the workload of a deleted pod, derived from its name. Only workloads that still have pods are considered,
 * to avoid false matches.
 */
const formerOwner = (pod: string, workloads: ReadonlySet<string>): string | undefined => {
  const replicaSet = pod.replace(SUFFIX, '')
  return [replicaSet, replicaSet.replace(SUFFIX, '')].find((name) => name !== pod && workloads.has(name))
}

/**
 * Returns a function that assigns pods to their workload, and claims and nodes to their NodePool. A deleted pod is
 * assigned to the workload in its name if that still has pods. Any other deleted or unreadable object is its own
 * owner.
 */
export const ownersOf = (pods: readonly unknown[], claims: readonly unknown[], nodes: readonly unknown[]): OwnerOf => {
  const owners = new Map<string, string>()
  const workloads = new Set<string>()
  for (const pod of pods) {
    const namespace = textAt(pod, 'metadata', 'namespace') ?? ''
    const workload = workloadOf(pod)
    const owner = `${namespace}/${workload.slice(workload.indexOf('/') + 1)}`
    owners.set(keyOf('Pod', namespace, objectName(pod)), owner)
    if (!workload.startsWith('Pod/')) workloads.add(owner)
  }
  for (const [kind, objects] of [
    ['NodeClaim', claims],
    ['Node', nodes],
  ] as const) {
    for (const object of objects) {
      const pool = objectLabel(object, 'karpenter.sh/nodepool')
      if (pool !== undefined) owners.set(keyOf(kind, '', objectName(object)), pool)
    }
  }
  return ({ kind, namespace, name }) =>
    kind === 'NodePool'
      ? name
      : owners.get(keyOf(kind, kind === 'Pod' ? namespace : '', name)) ??
        (kind === 'Pod' ? formerOwner(`${namespace}/${name}`, workloads) ?? `${namespace}/${name}` : name)
}

/** Groups decisions by owner and reason. The newest group comes first. */
export const decisionGroups = (rows: readonly DecisionRow[], ownerOf: OwnerOf): readonly DecisionGroup[] => {
  const groups = new Map<string, DecisionRow[]>()
  for (const row of rows) {
    const id = [ownerOf(row), row.reason, row.type].join('\0')
    const list = groups.get(id)
    if (list === undefined) groups.set(id, [row])
    else list.push(row)
  }
  return Array.from(groups, ([id, list]): DecisionGroup => {
    const own = [...list].sort((a, b) => b.time - a.time)
    const [newest] = own as [DecisionRow, ...DecisionRow[]]
    return {
      id,
      owner: ownerOf(newest),
      reason: newest.reason,
      type: newest.type,
      subjects: new Set(own.map(({ kind, namespace, name }) => keyOf(kind, namespace, name))).size,
      count: own.reduce((sum, { count }) => sum + count, 0),
      time: newest.time,
      message: newest.message,
      rows: own,
    }
  }).sort((a, b) => b.time - a.time || (a.id < b.id ? -1 : 1))
}
