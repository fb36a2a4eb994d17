import type { LabelVocabulary, UsdPerHour } from '@kerf/apis'
import type { Reason } from '@kerf/engine'
import type { BrowserPolicies } from './browser-policies.ts'
import { browserCluster, type ClusterObjects, type InstanceTypesByPool } from './cluster-snapshot.ts'
import { findConditionRow } from './conditions.ts'
import { guardedClaims } from './guarded-claims.ts'
import { claimsCost } from './price.ts'
import type { Prices } from './prices.ts'
import { at, isDeleting, objectLabel, objectName, textAt } from './read.ts'
import { settle, type Settled } from './settle.ts'

/** A running pod that would fit on no other node. */
export interface UnschedulablePod {
  readonly pod: string
  /** Absent if the engine gives no reason. */
  readonly reason: Reason | undefined
}

/** A number that is computed once for the stored object and once for the edited object. */
export interface Change {
  readonly before: number
  readonly after: number
}

/** The forecast for the cluster with an edit, and the forecast without the edit, for comparison. */
export interface EditForecast {
  /** Running pods that fit on no other node because of the edit, although their node drifts or is being deleted. */
  readonly unschedulable: readonly UnschedulablePod[]
  /**
   * The number of drifted nodes that are not replaced, because their pods would fit nowhere else, or because `karpenter.sh/do-not-disrupt`
   * or a PodDisruptionBudget prevents it.
   */
  readonly kept: Change
  /** The number of pending pods that get no node. */
  readonly pending: Change
  /** The number of nodes that are launched for pending pods. */
  readonly launched: Change
  /**
   * The number of NodeClaims at present (`now`), and after pending pods have nodes and drifted nodes are replaced:
   * without the edit (`before`) and with it (`after`). Absent if the edit changes `replicas`.
   */
  readonly nodes?: { readonly now: number } & Change
  /**
   * The cost at present (`now`), and after pending pods have nodes and drifted nodes are replaced: without the edit
   * (`before`) and with it (`after`). Absent if prices are unknown.
   */
  readonly cost?: { readonly now: UsdPerHour } & Change
}

/** The objects of a cluster for the forecast of an edit. */
export interface EditedObjects extends ClusterObjects {
  /** The PodDisruptionBudgets. Absent if they are unknown. In that case, the forecast ignores them. */
  readonly disruptionBudgets?: readonly unknown[]
  /** Absent if they are unknown. In that case, the forecast is made as if there were none. */
  readonly policies?: BrowserPolicies
}

/** The inputs that are the same for the forecast of every edit. */
export interface EditSetting {
  readonly objects: EditedObjects
  readonly instanceTypes: InstanceTypesByPool
  readonly vocabulary: LabelVocabulary
  readonly prices: Prices
  readonly notKnown: ReadonlySet<keyof ClusterObjects> | undefined
}

/** The NodePools and the names of the drifted NodeClaims, either without the edit or with it. */
export interface EditSide {
  readonly pools: readonly unknown[]
  readonly drifted: readonly string[]
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

/** Returns the names of the NodeClaims of static pools. Each is replaced by one node of the same pool, regardless of its pods. */
const staticClaims = ({ pools, claims }: ClusterObjects): ReadonlySet<string> => {
  const names = new Set(pools.filter((pool) => at(pool, 'spec', 'replicas') !== undefined).map(objectName))
  return new Set(claims.filter((claim) => names.has(objectLabel(claim, 'karpenter.sh/nodepool') ?? '')).map(objectName))
}

const uidOf = ({ pod }: Settled['unschedulable'][number]): string => pod.metadata.uid ?? ''

/** The forecast either without the edit or with it. */
interface SettledSide extends Settled {
  /** The number of drifted nodes that are not replaced. */
  readonly stillDrifted: number
  /** The NodeClaims that exist now and still exist after all changes. */
  readonly remaining: readonly unknown[]
}

const settledSide = (
  { pools, drifted }: EditSide,
  ofStaticPools: ReadonlySet<string>,
  { objects, instanceTypes, vocabulary, notKnown }: EditSetting,
): SettledSide => {
  const { snapshot, pending } = browserCluster({ ...objects, pools }, instanceTypes, notKnown, objects.policies)
  const { claims, nodes, pods, disruptionBudgets = [] } = objects
  const unplaced =
    disruptionBudgets.length === 0 || pending.length === 0
      ? []
      : settle(snapshot, { pending, leaving: [], vocabulary }).unplaced
  const guarded = guardedClaims({ claims, nodes, pods, disruptionBudgets, unplaced: new Set(unplaced.map(uidOf)) })
  const leaving = driftOrder(drifted, claims).filter((name) => !guarded.has(name) && !ofStaticPools.has(name))
  const byClaim = new Map(snapshot.nodes.map((node) => [node.nodeClaim, node]))
  const settled = settle(snapshot, {
    pending,
    leaving: leaving.flatMap((claim) => byClaim.get(claim) ?? []),
    vocabulary,
  })
  const gone = new Set(leaving.filter((name) => !settled.kept.includes(name)))
  return {
    ...settled,
    stillDrifted: drifted.filter((name) => guarded.has(name)).length + settled.kept.length,
    remaining: claims.filter((claim) => !isDeleting(claim) && !gone.has(objectName(claim))),
  }
}

/**
 * Compares the engine's decisions for the edited object with its decisions for the stored object. In both cases, pending pods get nodes
 * first. Then drifted nodes are replaced one after the other, except nodes whose pods would fit nowhere else. Later consolidation is not
 * included. `settled` has the details of both cases.
 */
export const editForecast = (
  sides: Readonly<Record<keyof Change, EditSide>>,
  setting: EditSetting,
): { readonly forecast: EditForecast; readonly settled: Readonly<Record<keyof Change, Settled>> } => {
  const { objects } = setting
  const ofStaticPools = staticClaims(objects)
  const settled = {
    before: settledSide(sides.before, ofStaticPools, setting),
    after: settledSide(sides.after, ofStaticPools, setting),
  }
  const change = (count: (each: SettledSide) => number): Change => ({
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
  const { prices } = setting
  const cost = claimsCost(objects.claims, prices)
  const driftedBefore = new Set(sides.before.drifted)
  const isStaticReplaced = sides.after.drifted.some((name) => ofStaticPools.has(name) && !driftedBefore.has(name))
  const isPriced = cost.unknown === 0 && settled.before.unpriced === 0 && settled.after.unpriced === 0
  return {
    settled,
    forecast: {
      unschedulable,
      kept: change(({ stillDrifted }) => stillDrifted),
      pending: change(({ unplaced }) => unplaced.length),
      launched: change(({ launched }) => launched),
      nodes: { now: objects.claims.length, ...change(({ remaining, nodes }) => remaining.length + nodes) },
      ...(isPriced && !isStaticReplaced
        ? { cost: { now: cost.total, ...change((each) => claimsCost(each.remaining, prices).total + each.cost) } }
        : {}),
    },
  }
}
