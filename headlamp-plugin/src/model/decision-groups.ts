import type { DecisionRow } from './decisions.ts'
import { workloadOf } from './pending-groups.ts'
import { labelOf, nameOf, textAt } from './read.ts'

/** Decisions that say the same of several objects of one workload or one NodePool. */
export interface DecisionGroup {
  readonly id: string
  /** `shop/payments` for pods, the NodePool for nodes; the object itself where neither is known. */
  readonly owner: string
  readonly reason: string
  readonly type: string
  /** How many objects it is said of. */
  readonly subjects: number
  /** How often it was said of all of them together. */
  readonly count: number
  readonly time: number
  /** What was said last. */
  readonly message: string
  /** The newest first. */
  readonly rows: readonly DecisionRow[]
}

/** The owner of what decisions are about, by kind, namespace and name. */
export type OwnerOf = (row: DecisionRow) => string

const keyOf = (kind: string, namespace: string, name: string): string => [kind, namespace, name].join('\0')

/** What Kubernetes puts behind the name of a workload: an ordinal, a hash of a template, a random end. */
const SUFFIX = /-(\d+|[bcdfghjklmnpqrstvwxz2456789]{5,10})$/

/** The workload of a pod that is gone, by its name: only one that still has pods, so that nothing is made up. */
const formerOwner = (pod: string, workloads: ReadonlySet<string>): string | undefined => {
  const replicaSet = pod.replace(SUFFIX, '')
  return [replicaSet, replicaSet.replace(SUFFIX, '')].find((name) => name !== pod && workloads.has(name))
}

/**
 * Pods belong to their workload, claims and nodes to their NodePool. A pod that is gone belongs to the workload of its name that
 * still has pods; what else is gone, or may not be read, stands for itself.
 */
export const ownersOf = (pods: readonly unknown[], claims: readonly unknown[], nodes: readonly unknown[]): OwnerOf => {
  const owners = new Map<string, string>()
  const workloads = new Set<string>()
  for (const pod of pods) {
    const namespace = textAt(pod, 'metadata', 'namespace') ?? ''
    const workload = workloadOf(pod)
    const owner = `${namespace}/${workload.slice(workload.indexOf('/') + 1)}`
    owners.set(keyOf('Pod', namespace, nameOf(pod)), owner)
    if (!workload.startsWith('Pod/')) workloads.add(owner)
  }
  for (const [kind, objects] of [
    ['NodeClaim', claims],
    ['Node', nodes],
  ] as const) {
    for (const object of objects) {
      const pool = labelOf(object, 'karpenter.sh/nodepool')
      if (pool !== undefined) owners.set(keyOf(kind, '', nameOf(object)), pool)
    }
  }
  return ({ kind, namespace, name }) =>
    kind === 'NodePool'
      ? name
      : owners.get(keyOf(kind, kind === 'Pod' ? namespace : '', name)) ??
        (kind === 'Pod' ? formerOwner(`${namespace}/${name}`, workloads) ?? `${namespace}/${name}` : name)
}

/** One fact told once: by what it is about and for which reason, the newest first. */
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
