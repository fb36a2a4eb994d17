import { capacitySections } from './capacity-facts.ts'
import { deviceSections } from './device-facts.ts'
import type { Fact } from './fact.ts'
import { provisioningSections } from './provisioning-facts.ts'
import { requirementSections } from './requirement-facts.ts'
import { topologySections } from './topology-facts.ts'

/**
 * What upstream's own test suites assert of scheduling, in our words, in the order of those suites. A text alone is the title
 * of a test in this folder, after the section and a colon.
 */
export const sections: Readonly<Record<string, readonly Fact[]>> = {
  ...requirementSections,
  ...provisioningSections,
  ...topologySections,
  ...capacitySections,
  ...deviceSections,
}
