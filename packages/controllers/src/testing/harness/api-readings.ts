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

/** Returns the sum of a metric's series with these labels, or 0 if there are none. */
export const sumOfMetric = async (
  metrics: Metrics,
  name: string,
  wanted: Readonly<Record<string, string>>,
): Promise<number> => {
  const lines = (await metrics.text())
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
  return lines
    .filter((line) => Object.entries(wanted).every(([key, value]) => line.includes(`${key}="${value}"`)))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0)
}
