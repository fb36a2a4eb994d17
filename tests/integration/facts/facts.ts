import { capacitySections } from './capacity-facts.ts'
import { deviceSections } from './device-facts.ts'
import type { Fact } from './fact.ts'
import { provisioningSections } from './provisioning-facts.ts'
import { requirementSections } from './requirement-facts.ts'
import { topologySections } from './topology-facts.ts'

/**
 * The assertions of upstream's test suites about scheduling, in the order of those suites. If a fact is only a string, the test with the
 * title `SECTION: TEXT` in this folder proves it.
 */
export const sections: Readonly<Record<string, readonly Fact[]>> = {
  ...requirementSections,
  ...provisioningSections,
  ...topologySections,
  ...capacitySections,
  ...deviceSections,
}
