import type { LabelVocabulary, UsdPerHour } from '@kerf/apis'
import type { Reason } from '@kerf/engine'
import { poolUsage } from './amounts.ts'
import { netAllowances } from './budgets.ts'
import { browserCluster, type ClusterObjects, type InstanceTypesByPool, poolCounts } from './cluster-snapshot.ts'
import { isTrue } from './conditions.ts'
import { type DriftChange, driftChange } from './pool-drift.ts'
import { claimsCost } from './price.ts'
import { at, isDeleting, objectLabel, objectName } from './read.ts'
import { settle, type Settled } from './settle.ts'

/** A running pod that would become unschedulable. */
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
  /** Running pods that become unschedulable because of the edit. */
  readonly unschedulable: readonly UnschedulablePod[]
  /** The number of pending pods that get no node. */
  readonly pending: Change
  /** The number of pending pods that the limits of this NodePool refuse. */
  readonly refusedByLimits: Change
  /** The number of nodes that are launched for pending pods. */
  readonly launched: Change
  /**
   * The cost now, and after pending pods have nodes and all drifted nodes are replaced: without the edit, and with it.
   * Absent if prices are unknown.
   */
  readonly cost?: { readonly now: UsdPerHour } & Change
  /** Limits that are already exceeded, by resource. */
  readonly exceeded: readonly string[]
}

/**
 * Returns how many nodes of the pool may be replaced at the same time according to its budgets. At least 1, because a
 * budget that allows no nodes stops applying at some point.
 */
const driftsAtOnce = (pool: unknown, objects: ClusterObjects, now: number): number => {
  const count = poolCounts(objects.nodes, objects.claims).get(objectName(pool)) ?? { total: 0, disrupting: 0 }
  const net = netAllowances(pool, count, now).find(({ reasons }) => reasons.includes('Drifted'))
  return net?.allowed === undefined ? Number.POSITIVE_INFINITY : Math.max(1, net.allowed)
}

interface Setting {
  readonly objects: ClusterObjects
  readonly instanceTypes: InstanceTypesByPool
  readonly now: number
  readonly vocabulary: LabelVocabulary
  readonly notKnown: ReadonlySet<keyof ClusterObjects> | undefined
}

/** Returns what becomes of the cluster if this pool replaces the stored one, and the claims with these names are replaced. */
const settledWith = (
  pool: unknown,
  leaving: readonly string[],
  { objects, instanceTypes, now, vocabulary, notKnown }: Setting,
): Settled => {
  const pools = objects.pools.map((each) => (objectName(each) === objectName(pool) ? pool : each))
  const { snapshot, pending } = browserCluster({ ...objects, pools }, instanceTypes, notKnown)
  const names = new Set(leaving)
  const nodes = snapshot.nodes.filter(({ nodeClaim }) => nodeClaim !== undefined && names.has(nodeClaim))
  return settle(snapshot, { pending, leaving: nodes, atOnce: driftsAtOnce(pool, objects, now), vocabulary })
}

const uidOf = ({ pod }: Settled['unschedulable'][number]): string => pod.metadata.uid ?? ''

const isByLimit = (pool: string, { code, subject }: Reason): boolean =>
  (code === 'nodepool.limit' || code === 'nodepool.node-limit') && subject === `nodepool/${pool}`

/** Returns whether the number of nodes follows from `replicas`, so that an edit launches or removes nodes without pods. */
const isResized = (before: unknown, after: unknown, claims: readonly unknown[]): boolean => {
  const wanted = at(after, 'spec', 'replicas')
  const own = claims.filter((each) => objectLabel(each, 'karpenter.sh/nodepool') === objectName(after))
  return wanted === undefined ? at(before, 'spec', 'replicas') !== undefined : wanted !== own.length
}

/**
 * Returns the effect of changing a NodePool to `after`: what the engine decides with the changed NodePool, compared with
 * what it decides with the stored one. In both cases pending pods get nodes first, and then drifted nodes are replaced
 * step by step, as budgets allow. Later consolidation is not included.
 */
export const poolChange = (
  after: unknown,
  objects: ClusterObjects,
  instanceTypes: InstanceTypesByPool,
  now: number,
  vocabulary: LabelVocabulary,
  notKnown?: ReadonlySet<keyof ClusterObjects>,
): ChangeEffect => {
  const before = objects.pools.find((pool) => objectName(pool) !== '' && objectName(pool) === objectName(after))
  const drift = driftChange(before, after, objects.claims, vocabulary)
  const exceeded = poolUsage(after)
    .filter(({ share }) => share !== undefined && share > 1)
    .map(({ resource }) => resource)
  const setting = { objects, instanceTypes, now, vocabulary, notKnown }
  const others = objects.claims.filter(
    (claim) =>
      !isDeleting(claim) &&
      objectLabel(claim, 'karpenter.sh/nodepool') !== objectName(after) &&
      isTrue(claim, 'Drifted'),
  )
  const drifted = [...others.map(objectName), ...drift.already]
  const replaced = {
    before: [...drifted, ...drift.undone],
    after: [...drifted, ...drift.drifting.map(({ claim }) => claim)],
  }
  const settled = {
    before: settledWith(before, replaced.before, setting),
    after: settledWith(after, replaced.after, setting),
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
  const keptCost = (leaving: readonly string[]): UsdPerHour =>
    claimsCost(objects.claims.filter((claim) => !isDeleting(claim) && !leaving.includes(objectName(claim)))).total
  const isPriced = cost.unknown === 0 && settled.before.unpriced === 0 && settled.after.unpriced === 0
  return {
    ...drift,
    unschedulable,
    exceeded,
    pending: change(({ unplaced }) => unplaced.length),
    refusedByLimits: change(
      ({ unplaced }) =>
        unplaced.filter(({ reasons }) => reasons.some((reason) => isByLimit(objectName(after), reason))).length,
    ),
    launched: change(({ launched }) => launched),
    ...(isPriced && !isResized(before, after, objects.claims)
      ? {
          cost: {
            now: cost.total,
            before: keptCost(replaced.before) + settled.before.cost,
            after: keptCost(replaced.after) + settled.after.cost,
          },
        }
      : {}),
  }
}
