import { NETWORK_BANDWIDTH } from './generated/network-bandwidth.ts'
import { VPC_LIMITS } from './generated/vpc-limits.ts'
import { byTypeName } from './table.ts'

/** Facts about an instance type that come from tables because EC2 does not return them (`providers/aws/docs/spec/aws.md#tables`). */
export interface InstanceTypeFacts {
  /** In Mbit/s. */
  readonly baselineNetworkBandwidth?: number
  /** The number of branch network interfaces for pods, if the instance type supports them. */
  readonly branchInterfaces?: number
  /** The number of IPv4 addresses that the VPC resource controller assumes for Windows pods. */
  readonly ipv4PerInterface?: number
}

/**
 * Returns facts about instance types that no EC2 API returns (`providers/aws/docs/spec/aws.md#tables`, a and b). Unknown types have
 * no facts.
 */
export const readInstanceFacts = (): ReadonlyMap<string, InstanceTypeFacts> => {
  const facts = new Map<string, InstanceTypeFacts>()
  for (const [name, text] of byTypeName(VPC_LIMITS)) {
    const [branches = 0, addresses = 0] = text.split('/').map(Number)
    facts.set(name, { ipv4PerInterface: addresses, ...(branches === 0 ? {} : { branchInterfaces: branches }) })
  }
  for (const [name, text] of byTypeName(NETWORK_BANDWIDTH)) {
    facts.set(name, { ...facts.get(name), baselineNetworkBandwidth: Number(text) })
  }
  return facts
}
