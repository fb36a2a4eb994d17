import type { ConformanceCase } from '@kerf/apis/conformance'
import type { CheckId } from './checks.ts'
import type { ConformanceDriver } from './conformance-driver.ts'

/**
 * The type of the export `conformance` in the module `./testing` of a provider's package. It is separate from the driver, which loads the
 * test runner, because generators must not load the test runner.
 */
export interface ProviderConformance {
  /** Checks that do not apply, with the reasons. */
  readonly notApplicable: Partial<Readonly<Record<CheckId, string>>>
  driver(): Promise<ConformanceDriver>
  /** Node classes that their CRDs must accept or refuse. */
  readonly nodeClassCases?: () => readonly ConformanceCase[]
  /** Objects of core kinds that the CRDs with the provider's rules (`chart.coreRules`) must accept or refuse. */
  readonly coreRuleCases?: () => readonly ConformanceCase[]
}
