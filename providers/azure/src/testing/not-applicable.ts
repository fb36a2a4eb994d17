import type { CheckId } from '@kerf/provider-contract/conformance'

/** The checks that do not apply to this provider, each with the reason. */
export const notApplicable: Partial<Readonly<Record<CheckId, string>>> = {
  C28: 'VMs have their tags from the request that makes them',
  H05: 'a VM stays in its subnet, which is hashed',
  T08: 'subnets in Azure are in every zone of their location',
  X06: 'a story of its own: providers/azure/tests/process.azure.test.ts',
  B06: 'Azure tells the node alone of an eviction: its agent sets a condition, which the core repairs by',
}
