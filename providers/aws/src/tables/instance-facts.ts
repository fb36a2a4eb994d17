import { NETWORK_BANDWIDTH } from './generated/network-bandwidth.ts'
import { VPC_LIMITS } from './generated/vpc-limits.ts'
import { byTypeName } from './table.ts'

/** What EC2 does not tell of an instance type, from tables (`docs/spec/aws.md#tables`). */
export interface InstanceTypeFacts {
  /** Mbit/s. */
  readonly baselineNetworkBandwidth?: number
  /** Network interfaces for single pods, where the type can have them. */
  readonly branchInterfaces?: number
  /** As the VPC resource controller counts them for Windows pods. */
  readonly ipv4PerInterface?: number
}

/** What no API of EC2 tells of instance types (`docs/spec/aws.md#tables`, a and b). Unknown types have no facts. */
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
