import { candidateSections } from './candidate-facts.ts'
import { clusterSections } from './cluster-facts.ts'
import { consolidationSections } from './consolidation-facts.ts'
import type { Fact } from './fact.ts'
import { nodeLifeSections } from './node-life-facts.ts'

/**
 * The assertions of upstream's test suites about disruption and the node lifecycle, in the order of those suites. Each fact names Kerf's
 * tests for it.
 */
export const disruptionSections: Readonly<Record<string, readonly Fact[]>> = {
  ...candidateSections,
  ...consolidationSections,
  ...nodeLifeSections,
  ...clusterSections,
}
