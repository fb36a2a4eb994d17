import type { ProviderConformance } from '@kerf/provider-contract/conformance'
import { awsLabelCases } from './aws-label-cases.ts'
import { ec2NodeClassCases } from './ec2-node-class-cases.ts'
import { notApplicable } from './not-applicable.ts'

export { FakeAws, instantWindows } from './fake-aws/fake-aws.ts'
export { type Ec2Watcher, FakeEc2 } from './fake-aws/fake-ec2.ts'
export type { FakeInstance } from './fake-aws/fake-instance.ts'
export { FakeLeftovers } from './fake-aws/fake-leftovers.ts'
export { fakePrice } from './fake-aws/fake-price.ts'
export { sdkError } from './fake-aws/sdk-error.ts'
export { fakeNode } from './fake-node.ts'
export { VECTOR_CA_BUNDLE, vectorSpec } from './hash-vectors.ts'
export { nodeConfigIn } from './node-config.ts'
export { ec2Type } from './type-table.ts'

/** Configures the contract's conformance suite for this provider. */
export const conformance: ProviderConformance = {
  notApplicable,
  driver: async () => (await import('./conformance-driver.ts')).awsDriver,
  nodeClassCases: ec2NodeClassCases,
  coreRuleCases: awsLabelCases,
}
