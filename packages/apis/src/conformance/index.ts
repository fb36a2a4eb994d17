import { aksNodeClassCases } from './aks-node-class-cases.ts'
import type { ConformanceCase } from './case.ts'
import { clusterApiNodeClassCases } from './cluster-api-node-class-cases.ts'
import { ec2NodeClassCases } from './ec2-node-class-cases.ts'
import { nodeClaimCases } from './node-claim-cases.ts'
import { nodePoolCases } from './node-pool-cases.ts'
import { capacityBufferCases, kwokNodeClassCases, nodeOverlayCases } from './other-cases.ts'

export { awsLabelCases } from './aws-label-cases.ts'
export {
  CASE_NAME,
  CASE_NAMESPACE,
  type ConformanceCase,
  type ConformanceTarget,
  checkCase,
  type Expectation,
  type WriteResult,
} from './case.ts'
export { gadgetCases } from './gadget-cases.ts'
export { gadgetDefinition, gadgetKind } from './gadget-schema.ts'

/** Returns every case about Karpenter's kinds. Names are unique. */
export const conformanceCases = (): readonly ConformanceCase[] => [
  ...nodePoolCases(),
  ...nodeClaimCases(),
  ...nodeOverlayCases(),
  ...capacityBufferCases(),
  ...kwokNodeClassCases(),
  ...ec2NodeClassCases(),
  ...clusterApiNodeClassCases(),
  ...aksNodeClassCases(),
]
