import { labels, type NodeClaim } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'

/**
 * Returns the hourly price, in dollars, of the offering with which a NodeClaim was launched. Returns undefined before the launch. Does not
 * use the engine, because the invariants also check how the engine reads prices.
 */
export const priceIn = (types: readonly InstanceType[], { metadata }: NodeClaim): number | undefined => {
  const own = metadata.labels ?? {}
  const type = types.find(({ name }) => name === own[labels.instanceType])
  return type?.offerings.find(({ requirements }) =>
    [labels.zone, labels.capacityType].every((label) =>
      requirements.some(({ key, values }) => key === label && own[label] !== undefined && values?.includes(own[label])),
    ),
  )?.price
}
