import { candidateSections } from './candidate-facts.ts'
import { clusterSections } from './cluster-facts.ts'
import { consolidationSections } from './consolidation-facts.ts'
import type { Fact } from './fact.ts'
import { nodeLifeSections } from './node-life-facts.ts'

/**
 * What upstream's own test suites assert of disruption and of the life of nodes, in our words and in the order of those suites,
 * and the tests that hold us to it.
 */
export const disruptionSections: Readonly<Record<string, readonly Fact[]>> = {
  ...candidateSections,
  ...consolidationSections,
  ...nodeLifeSections,
  ...clusterSections,
}
