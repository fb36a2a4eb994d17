import type { UsdPerHour } from '@kerf/apis'
import type { InstanceType, Offering } from '@kerf/engine'

const firstValue = (requirements: InstanceType['requirements'], key: string): string | undefined =>
  requirements.find((each) => each.key === key)?.values?.[0]

/** Returns the hourly price of an offering for nodes of a NodePool, or undefined if the price is unknown. */
type PriceIn = (nodePool: string, instanceType: string, offering: Offering) => UsdPerHour | undefined

/** Returns a function that computes the hourly price of a node from its labels for the instance type, zone, capacity type and NodePool. */
export const hourlyPrices = (
  types: readonly InstanceType[],
  priceIn: PriceIn = (_pool, _type, { price }) => price,
): ((labels: Readonly<Record<string, string>>) => UsdPerHour | undefined) => {
  const offerings = new Map<string, Offering>()
  for (const type of types) {
    for (const offering of type.offerings) {
      const { requirements } = offering
      offerings.set(
        `${type.name} ${firstValue(requirements, 'topology.kubernetes.io/zone')} ${firstValue(requirements, 'karpenter.sh/capacity-type')}`,
        offering,
      )
    }
  }
  return (labels) => {
    const type = labels['node.kubernetes.io/instance-type'] ?? ''
    const offering = offerings.get(
      `${type} ${labels['topology.kubernetes.io/zone']} ${labels['karpenter.sh/capacity-type']}`,
    )
    return offering === undefined ? undefined : priceIn(labels['karpenter.sh/nodepool'] ?? '', type, offering)
  }
}
