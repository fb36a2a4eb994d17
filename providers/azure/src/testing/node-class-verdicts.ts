import { readFileSync } from 'node:fs'
import { SeededRandom } from '@kerf/runtime'
import { randomFaultySpec } from './random-node-class.ts'

/** A random spec, and the result of validating it on a real API server with upstream's CRD. */
export interface NodeClassVerdict {
  readonly spec: unknown
  /** In the format of `verdictLine`. */
  readonly line: string
}

/**
 * Returns 500 random specs, each with the validation result of Kubernetes with the CRD of Azure/karpenter-provider-azure 352646f.
 * `providers/azure/tests/upstream-definition.test.ts` records the results.
 */
export const nodeClassVerdicts = (): readonly NodeClassVerdict[] => {
  const random = new SeededRandom('verdicts')
  const lines = readFileSync(new URL('node-class.verdicts.tsv', import.meta.url), 'utf8')
    .trim()
    .split('\n')
  return Array.from({ length: 500 }, (_, index) => ({ spec: randomFaultySpec(random), line: lines[index] ?? '' }))
}
