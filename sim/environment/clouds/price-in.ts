import { labels, type NodeClaim } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'

/**
 * Dollars an hour of the offering among the types that a claim was launched with; nothing for a claim that was not launched.
 * Looked up without the engine: how the engine reads prices is among what is checked.
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
