import type { ConformanceCase } from './case.ts'
import { nodeClaimCases } from './node-claim-cases.ts'
import { nodePoolCases } from './node-pool-cases.ts'
import { capacityBufferCases, nodeOverlayCases } from './other-cases.ts'
import { clusterPolicyCases } from './policy-cases.ts'
import { nodePoolPolicyCases } from './pool-policy-cases.ts'

export {
  CASE_NAME,
  CASE_NAMESPACE,
  type ConformanceCase,
  type ConformanceTarget,
  checkCase,
  type Expectation,
  type WriteResult,
} from './case.ts'
export { conditionCases } from './condition-cases.ts'
export { clientView, crdProblems, noCrdProblems } from './crd-rules.ts'
export { gadgetCases } from './gadget-cases.ts'
export { gadgetDefinition, gadgetKind } from './gadget-schema.ts'
export { libraryTarget } from './library-target.ts'
export { accepted, caseTable, long, many, refused, type Table } from './table.ts'

/** Returns all cases about the core kinds. Their names are unique. */
export const conformanceCases = (): readonly ConformanceCase[] => [
  ...nodePoolCases(),
  ...nodeClaimCases(),
  ...nodeOverlayCases(),
  ...capacityBufferCases(),
  ...clusterPolicyCases(),
  ...nodePoolPolicyCases(),
]
