import { findCondition, type KubeObject, type NodeClaim, type ResourceKind } from '@kerf/apis'
import { isNotFound, type KubeClient, type Metrics, type ObjectRef } from '@kerf/runtime'

/** Queries that several test harnesses use. */

/** Returns an object, or undefined if it does not exist. */
export const readIfThere = async <T extends KubeObject>(
  admin: KubeClient,
  kind: ResourceKind<T>,
  ref: ObjectRef,
): Promise<T | undefined> => {
  try {
    return await admin.get(kind, ref)
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}

/** Returns the status and reason of a claim's condition as `status reason`. */
export const conditionText = (claim: NodeClaim | undefined, type: string): string | undefined => {
  const condition = claim === undefined ? undefined : findCondition(claim, type)
  return condition === undefined ? undefined : `${condition.status} ${condition.reason}`
}

/** The names that a histogram's or summary's series have in addition to the name of the family. */
const PART_OF_FAMILY = /_(?:bucket|count|sum)$/

/**
 * Returns the sum of a metric's series with these labels, or 0 if there are none. Reads only this family: a harness has some two hundred
 * of them, and their text is dear.
 */
export const sumOfMetric = async (
  metrics: Metrics,
  name: string,
  wanted: Readonly<Record<string, string>>,
): Promise<number> => {
  const ofName = await metrics.series(name)
  const series = ofName.length > 0 ? ofName : await metrics.series(name.replace(PART_OF_FAMILY, ''))
  return series
    .filter((each) => each.name === name && Object.entries(wanted).every(([key, value]) => each.labels[key] === value))
    .reduce((sum, { value }) => sum + value, 0)
}
