import type { Ec2InstanceType } from '../api/ec2-instance-type.ts'
import type { NodeClassTraits } from '../node-class/node-class-traits.ts'

const NESTED_VIRTUALIZATION = 'nested-virtualization'

const interfacesFit = (type: Ec2InstanceType, { networkInterfaces }: NodeClassTraits): boolean => {
  if (networkInterfaces.length === 0) return true
  const network = type.NetworkInfo
  if (network === undefined || network.EnaSupport === 'unsupported') return false
  const cards = network.NetworkCards ?? []
  const fit = networkInterfaces.every(({ networkCardIndex, deviceIndex }) => {
    const card = cards.find((each) => (each.NetworkCardIndex ?? 0) === networkCardIndex)
    return card !== undefined && deviceIndex < (card.MaximumNetworkInterfaces ?? 0)
  })
  const efas = networkInterfaces.filter(({ interfaceType }) => interfaceType === 'efa-only').length
  return fit && efas <= (network.EfaInfo?.MaximumEfaInterfaces ?? 0)
}

/**
 * Returns the reason why instances of the instance type cannot be launched for the node class, or undefined if they can
 * (`providers/aws/docs/spec/aws.md#offerings`). An incompatible type stays listed, but has no available offering.
 */
export const findIncompatibility = (type: Ec2InstanceType, traits: NodeClassTraits): string | undefined => {
  const name = type.InstanceType ?? ''
  if (traits.family === 'AL2023' && name.startsWith('a1.')) return 'AL2023 does not run on a1 instances'
  if (traits.tracksConnections && type.Hypervisor !== 'nitro') return 'connectionTracking needs the Nitro hypervisor'
  if (traits.nestedVirtualization && !type.ProcessorInfo?.SupportedFeatures?.includes(NESTED_VIRTUALIZATION))
    return 'its processor does not support nested virtualization'
  const strategy = traits.placementGroup?.strategy
  if (strategy !== undefined && !type.PlacementGroupInfo?.SupportedStrategies?.includes(strategy))
    return `it cannot be in a placement group of strategy ${strategy}`
  return interfacesFit(type, traits) ? undefined : 'it does not have the network interfaces of the node class'
}
