import type { LabelVocabulary } from '@kerf/apis'
import type { Reason } from '@kerf/engine'
import { poolUsage } from './amounts.ts'
import type { ClusterObjects, InstanceTypesByPool } from './cluster-snapshot.ts'
import { isTrue } from './conditions.ts'
import { type Change, type EditedObjects, type EditForecast, editForecast } from './edit-forecast.ts'
import { type DriftChange, driftChange } from './pool-drift.ts'
import { labelPrices, type Prices } from './prices.ts'
import { at, isDeleting, objectLabel, objectName } from './read.ts'
import type { Settled } from './settle.ts'

/** The effect of an edit of a NodePool. */
export interface ChangeEffect extends DriftChange, EditForecast {
  /** The number of pending pods that get no node because of the limits of this NodePool. */
  readonly refusedByLimits: Change
  /** Limits that are already exceeded, by resource. */
  readonly exceeded: readonly string[]
}

const isByLimit = (pool: string, { code, subject }: Reason): boolean =>
  (code === 'nodepool.limit' || code === 'nodepool.node-limit') && subject === `nodepool/${pool}`

/** Returns whether the number of nodes follows from `replicas`, so that an edit launches or removes nodes without pods. */
const isResized = (before: unknown, after: unknown, claims: readonly unknown[]): boolean => {
  const wanted = at(after, 'spec', 'replicas')
  const own = claims.filter((each) => objectLabel(each, 'karpenter.sh/nodepool') === objectName(after))
  return wanted === undefined ? at(before, 'spec', 'replicas') !== undefined : wanted !== own.length
}

/** Returns the effect of changing a NodePool to `after`. */
export const poolChange = (
  after: unknown,
  objects: EditedObjects,
  instanceTypes: InstanceTypesByPool,
  vocabulary: LabelVocabulary,
  notKnown?: ReadonlySet<keyof ClusterObjects>,
  prices: Prices = labelPrices,
): ChangeEffect => {
  const before = objects.pools.find((pool) => objectName(pool) !== '' && objectName(pool) === objectName(after))
  const drift = driftChange(before, after, objects.claims, vocabulary)
  const exceeded = poolUsage(after)
    .filter(({ share }) => share !== undefined && share > 1)
    .map(({ resource }) => resource)
  const others = objects.claims.filter(
    (claim) =>
      !isDeleting(claim) &&
      objectLabel(claim, 'karpenter.sh/nodepool') !== objectName(after) &&
      isTrue(claim, 'Drifted'),
  )
  const drifted = [...others.map(objectName), ...drift.already]
  const { forecast, settled } = editForecast(
    {
      before: { pools: objects.pools, drifted: [...drifted, ...drift.undone] },
      after: {
        pools: objects.pools.map((pool) => (objectName(pool) === objectName(after) ? after : pool)),
        drifted: [...drifted, ...drift.drifting.map(({ claim }) => claim)],
      },
    },
    { objects, instanceTypes, vocabulary, prices, notKnown },
  )
  const refused = ({ unplaced }: Settled): number =>
    unplaced.filter(({ reasons }) => reasons.some((reason) => isByLimit(objectName(after), reason))).length
  const { nodes, cost, ...rest } = forecast
  const figures = { ...(nodes === undefined ? {} : { nodes }), ...(cost === undefined ? {} : { cost }) }
  return {
    ...drift,
    ...rest,
    exceeded,
    refusedByLimits: { before: refused(settled.before), after: refused(settled.after) },
    ...(isResized(before, after, objects.claims) ? {} : figures),
  }
}
