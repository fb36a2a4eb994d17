import type { LabelVocabulary, UsdPerHour } from '@kerf/apis'
import type { Reason } from '@kerf/engine'
import { poolUsage } from './amounts.ts'
import { browserCluster, type ClusterObjects, type InstanceTypesByPool } from './cluster-snapshot.ts'
import { findConditionRow, isTrue } from './conditions.ts'
import { guardedClaims } from './guarded-claims.ts'
import { type DriftChange, driftChange } from './pool-drift.ts'
import { claimsCost } from './price.ts'
import { at, isDeleting, objectLabel, objectName, textAt } from './read.ts'
import { settle, type Settled } from './settle.ts'

/** A running pod that would fit on no other node. */
export interface UnschedulablePod {
  readonly pod: string
  /** Absent if the engine gives no reason. */
  readonly reason: Reason | undefined
}

/** A number with the stored NodePool, and with the edited one. */
export interface Change {
  readonly before: number
  readonly after: number
}

/** The effect of an edit of a NodePool. */
export interface ChangeEffect extends DriftChange {
  /** Running pods that fit on no other node because of the edit, although their node drifts or is being deleted. */
  readonly unschedulable: readonly UnschedulablePod[]
  /** The number of drifted nodes that are not replaced: their pods would fit nowhere else, or `karpenter.sh/do-not-disrupt` keeps them. */
  readonly kept: Change
  /** The number of pending pods that get no node. */
  readonly pending: Change
  /** The number of pending pods that the limits of this NodePool refuse. */
  readonly refusedByLimits: Change
  /** The number of nodes that are launched for pending pods. */
  readonly launched: Change
  /** The number of NodeClaims now, without the edit, and with it, after the same steps as `cost`. Absent if the edit changes `replicas`. */
  readonly nodes?: { readonly now: number } & Change
  /**
   * The cost now, and after pending pods have nodes and all drifted nodes are replaced: without the edit, and with it.
   * Absent if prices are unknown.
   */
  readonly cost?: { readonly now: UsdPerHour } & Change
  /** Limits that are already exceeded, by resource. */
  readonly exceeded: readonly string[]
}

interface Setting {
  readonly objects: ClusterObjects
  readonly instanceTypes: InstanceTypesByPool
  readonly vocabulary: LabelVocabulary
  readonly notKnown: ReadonlySet<keyof ClusterObjects> | undefined
}

/** Returns what becomes of the cluster if this pool replaces the stored one, and the claims with these names are replaced. */
const settledWith = (
  pool: unknown,
  leaving: readonly string[],
  { objects, instanceTypes, vocabulary, notKnown }: Setting,
): Settled => {
  const pools = objects.pools.map((each) => (objectName(each) === objectName(pool) ? pool : each))
  const { snapshot, pending } = browserCluster({ ...objects, pools }, instanceTypes, notKnown)
  const byClaim = new Map(snapshot.nodes.map((node) => [node.nodeClaim, node]))
  const nodes = leaving.flatMap((claim) => byClaim.get(claim) ?? [])
  return settle(snapshot, { pending, leaving: nodes, vocabulary })
}

/** Sorts NodeClaims as the drift controller does: those that drifted earlier come first. */
const driftOrder = (names: readonly string[], claims: readonly unknown[]): readonly string[] => {
  const byName = new Map(claims.map((claim) => [objectName(claim), claim]))
  const order = new Map(
    names.map((name) => {
      const claim = byName.get(name)
      const { status, since } = findConditionRow(claim, 'Drifted') ?? {}
      const at = status === 'True' ? since : undefined
      return [name, { at: at ?? Number.MAX_SAFE_INTEGER, node: textAt(claim, 'status', 'nodeName') ?? name }]
    }),
  )
  const of = (name: string) => order.get(name) ?? { at: Number.MAX_SAFE_INTEGER, node: name }
  return names.toSorted((a, b) => of(a).at - of(b).at || (of(a).node < of(b).node ? -1 : 1))
}

const uidOf = ({ pod }: Settled['unschedulable'][number]): string => pod.metadata.uid ?? ''

const isByLimit = (pool: string, { code, subject }: Reason): boolean =>
  (code === 'nodepool.limit' || code === 'nodepool.node-limit') && subject === `nodepool/${pool}`

/** Returns the names of the NodeClaims of static pools. Each is replaced by one node of the same pool, whatever its pods are. */
const staticClaims = ({ pools, claims }: ClusterObjects): ReadonlySet<string> => {
  const names = new Set(pools.filter((pool) => at(pool, 'spec', 'replicas') !== undefined).map(objectName))
  return new Set(claims.filter((claim) => names.has(objectLabel(claim, 'karpenter.sh/nodepool') ?? '')).map(objectName))
}

/** Returns whether the number of nodes follows from `replicas`, so that an edit launches or removes nodes without pods. */
const isResized = (before: unknown, after: unknown, claims: readonly unknown[]): boolean => {
  const wanted = at(after, 'spec', 'replicas')
  const own = claims.filter((each) => objectLabel(each, 'karpenter.sh/nodepool') === objectName(after))
  return wanted === undefined ? at(before, 'spec', 'replicas') !== undefined : wanted !== own.length
}

/**
 * Returns the effect of changing a NodePool to `after`: what the engine decides with the changed NodePool, compared with
 * what it decides with the stored one. In both cases pending pods get nodes first, and then drifted nodes are replaced
 * one after the other. A node whose pods would fit nowhere else stays. Later consolidation is not included.
 */
export const poolChange = (
  after: unknown,
  objects: ClusterObjects,
  instanceTypes: InstanceTypesByPool,
  vocabulary: LabelVocabulary,
  notKnown?: ReadonlySet<keyof ClusterObjects>,
): ChangeEffect => {
  const before = objects.pools.find((pool) => objectName(pool) !== '' && objectName(pool) === objectName(after))
  const drift = driftChange(before, after, objects.claims, vocabulary)
  const exceeded = poolUsage(after)
    .filter(({ share }) => share !== undefined && share > 1)
    .map(({ resource }) => resource)
  const setting = { objects, instanceTypes, vocabulary, notKnown }
  const others = objects.claims.filter(
    (claim) =>
      !isDeleting(claim) &&
      objectLabel(claim, 'karpenter.sh/nodepool') !== objectName(after) &&
      isTrue(claim, 'Drifted'),
  )
  const drifted = [...others.map(objectName), ...drift.already]
  const guarded = guardedClaims(objects.claims, objects.nodes, objects.pods)
  const ofStaticPools = staticClaims(objects)
  const isReplaceable = (name: string): boolean => !guarded.has(name) && !ofStaticPools.has(name)
  const driftedClaims = {
    before: driftOrder([...drifted, ...drift.undone], objects.claims),
    after: driftOrder([...drifted, ...drift.drifting.map(({ claim }) => claim)], objects.claims),
  }
  const leaving = {
    before: driftedClaims.before.filter(isReplaceable),
    after: driftedClaims.after.filter(isReplaceable),
  }
  const settled = {
    before: settledWith(before, leaving.before, setting),
    after: settledWith(after, leaving.after, setting),
  }
  /** The NodeClaims that exist now and still exist after all changes. */
  const remaining = (when: keyof Change): readonly unknown[] => {
    const gone = new Set(leaving[when].filter((name) => !settled[when].kept.includes(name)))
    return objects.claims.filter((claim) => !isDeleting(claim) && !gone.has(objectName(claim)))
  }
  const change = (count: (each: Settled) => number): Change => ({
    before: count(settled.before),
    after: count(settled.after),
  })
  const unplacedBefore = new Set(settled.before.unschedulable.map(uidOf))
  const unschedulable = settled.after.unschedulable
    .filter((each) => !unplacedBefore.has(uidOf(each)))
    .map(({ pod, reasons: [nearest] }) => ({
      pod: `${pod.metadata.namespace ?? 'default'}/${pod.metadata.name ?? ''}`,
      reason: nearest,
    }))
  const cost = claimsCost(objects.claims)
  const totalCost = (when: keyof Change): UsdPerHour => claimsCost(remaining(when)).total + settled[when].cost
  const isSized = isResized(before, after, objects.claims)
  const nodes = {
    now: objects.claims.length,
    before: remaining('before').length + settled.before.nodes,
    after: remaining('after').length + settled.after.nodes,
  }
  const isStatic = at(after, 'spec', 'replicas') !== undefined
  const isPriced = cost.unknown === 0 && settled.before.unpriced === 0 && settled.after.unpriced === 0
  return {
    ...drift,
    unschedulable,
    exceeded,
    kept: {
      before: driftedClaims.before.filter((name) => guarded.has(name)).length + settled.before.kept.length,
      after: driftedClaims.after.filter((name) => guarded.has(name)).length + settled.after.kept.length,
    },
    pending: change(({ unplaced }) => unplaced.length),
    refusedByLimits: change(
      ({ unplaced }) =>
        unplaced.filter(({ reasons }) => reasons.some((reason) => isByLimit(objectName(after), reason))).length,
    ),
    launched: change(({ launched }) => launched),
    ...(isSized ? {} : { nodes }),
    ...(isPriced && !isSized && !(isStatic && drift.drifting.length > 0)
      ? {
          cost: {
            now: cost.total,
            before: totalCost('before'),
            after: totalCost('after'),
          },
        }
      : {}),
  }
}
