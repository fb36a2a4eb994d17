import type { LabelVocabulary } from '@kerf/apis'
import { changedFields, type ClassChange } from './class-change.ts'
import type { ClusterObjects, InstanceTypesByPool } from './cluster-snapshot.ts'
import { isTrue } from './conditions.ts'
import { type EditedObjects, type EditForecast, editForecast } from './edit-forecast.ts'
import { displayedKind } from './node-class-kinds.ts'
import { labelPrices, type Prices } from './prices.ts'
import { isDeleting, objectName } from './read.ts'

/** An edited node class. Both versions include the schema's defaults. */
export interface EditedClass {
  readonly group: string
  readonly kind: string
  readonly before: unknown
  readonly after: unknown
  readonly change: ClassChange
}

/**
 * Forecasts the nodes and the cost after an edit of a node class. Returns undefined unless the edit is certain to
 * replace nodes and cannot change the instance types.
 */
export const classForecast = (
  { group, kind, before, after, change }: EditedClass,
  objects: EditedObjects,
  instanceTypes: InstanceTypesByPool,
  vocabulary: LabelVocabulary,
  notKnown?: ReadonlySet<keyof ClusterObjects>,
  prices: Prices = labelPrices,
): EditForecast | undefined => {
  const { typeNeutral = [] } = displayedKind(group, kind)?.drift ?? {}
  const isNeutral = changedFields(before, after).every((field) => typeNeutral.includes(field))
  if (change.effect !== 'drift' || !isNeutral) return undefined
  const drifted = objects.claims.filter((claim) => !isDeleting(claim) && isTrue(claim, 'Drifted')).map(objectName)
  const { pools } = objects
  return editForecast(
    {
      before: { pools, drifted },
      after: { pools, drifted: [...drifted, ...change.drifting.map(({ claim }) => claim)] },
    },
    { objects, instanceTypes, vocabulary, prices, notKnown },
  ).forecast
}
