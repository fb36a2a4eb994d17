import type { InstanceType, UsdPerHour } from '@kerf/engine'

const firstValue = (requirements: InstanceType['requirements'], key: string): string | undefined =>
  requirements.find((each) => each.key === key)?.values?.[0]

/** Looks up what a node costs by its labels: instance type, zone and capacity type. */
export const hourlyPrices = (
  types: readonly InstanceType[],
): ((labels: Readonly<Record<string, string>>) => UsdPerHour | undefined) => {
  const prices = new Map<string, UsdPerHour>()
  for (const type of types) {
    for (const { requirements, price } of type.offerings) {
      prices.set(
        `${type.name} ${firstValue(requirements, 'topology.kubernetes.io/zone')} ${firstValue(requirements, 'karpenter.sh/capacity-type')}`,
        price,
      )
    }
  }
  return (labels) =>
    prices.get(
      `${labels['node.kubernetes.io/instance-type']} ${labels['topology.kubernetes.io/zone']} ${labels['karpenter.sh/capacity-type']}`,
    )
}
