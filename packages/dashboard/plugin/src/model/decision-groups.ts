import type { DecisionRow } from './decisions.ts'
import { distinctReasons } from './distinct-reasons.ts'
import { podWorkload } from './pod-workload.ts'
import { objectLabel, objectName, textAt } from './read.ts'

/** Decisions with the same reason about several objects of one workload or one NodePool. */
export interface DecisionGroup {
  readonly id: string
  /** The workload for pods (`shop/payments`), the NodePool for nodes, or the object itself if neither is known. */
  readonly owner: string
  readonly reason: string
  readonly type: string
  /**
   * The kind of object that the decisions are about. A decision about a NodePool itself, for example about its budget, has the kind `pool`.
   */
  readonly about: 'pod' | 'node' | 'pool'
  /** The number of objects. A Node and its NodeClaim count as one object. */
  readonly subjects: number
  /** The total number of decisions about these objects. */
  readonly count: number
  readonly time: number
  /** The most frequent message. */
  readonly message: string
  /** The number of further reasons in the messages, in addition to the reason that is shown. */
  readonly others: number
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
 * Returns a function that assigns pods to their workload, and NodeClaims and Nodes to their NodePool. A deleted pod is
 * assigned to the workload in its name, provided that this workload still has pods. A deleted NodeClaim is assigned to
 * the NodePool in its name. If neither is known, the object is its own owner.
 */
export const indexOwners = (
  pods: readonly unknown[],
  claims: readonly unknown[],
  nodes: readonly unknown[],
): OwnerOf => {
  const owners = new Map<string, string>()
  const pools = new Set<string>()
  const workloads = new Set<string>()
  for (const pod of pods) {
    const namespace = textAt(pod, 'metadata', 'namespace') ?? ''
    const workload = podWorkload(pod)
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
      if (pool === undefined) continue
      owners.set(keyOf(kind, '', objectName(object)), pool)
      pools.add(pool)
    }
  }
  const poolOf = ({ kind, name, mentions }: DecisionRow): string => {
    const claim = [kind === 'NodeClaim' ? name : '', ...mentions].find((each) => pools.has(each.replace(SUFFIX, '')))
    return claim === undefined ? name : claim.replace(SUFFIX, '')
  }
  return (row) => {
    const { kind, namespace, name } = row
    if (kind === 'NodePool') return name
    const owner = owners.get(keyOf(kind, kind === 'Pod' ? namespace : '', name))
    if (owner !== undefined) return owner
    return kind === 'Pod' ? formerOwner(`${namespace}/${name}`, workloads) ?? `${namespace}/${name}` : poolOf(row)
  }
}

const aboutOf = ({ about, kind }: DecisionRow): DecisionGroup['about'] => (kind === 'NodePool' ? 'pool' : about)

/** Groups decisions by owner and reason. The newest group comes first. */
export const decisionGroups = (rows: readonly DecisionRow[], ownerOf: OwnerOf): readonly DecisionGroup[] => {
  const groups = new Map<string, DecisionRow[]>()
  for (const row of rows) {
    const id = [ownerOf(row), row.reason, row.type, aboutOf(row)].join('\0')
    const list = groups.get(id)
    if (list === undefined) groups.set(id, [row])
    else list.push(row)
  }
  return Array.from(groups, ([id, list]): DecisionGroup => {
    const own = [...list].sort((a, b) => b.time - a.time)
    const [newest] = own as [DecisionRow, ...DecisionRow[]]
    const [most, ...others] = distinctReasons(own)
    return {
      id,
      owner: ownerOf(newest),
      reason: newest.reason,
      type: newest.type,
      about: aboutOf(newest),
      subjects: new Set(own.map(({ subject }) => subject)).size,
      count: own.reduce((sum, { count }) => sum + count, 0),
      time: newest.time,
      message: most?.message ?? newest.message,
      others: others.length,
      rows: own,
    }
  }).sort((a, b) => b.time - a.time || (a.id < b.id ? -1 : 1))
}
