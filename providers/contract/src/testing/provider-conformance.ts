import type { ConformanceCase } from '@kerf/apis/conformance'
import type { CheckId } from './checks.ts'
import type { ConformanceDriver } from './conformance-driver.ts'

/**
 * The type of the export `conformance` in the `./testing` module of a provider's package. The driver loads the test runner, so it
 * is separate from what generators read.
 */
export interface ProviderConformance {
  /** Checks that do not apply, each with the reason. */
  readonly notApplicable: Partial<Readonly<Record<CheckId, string>>>
  driver(): Promise<ConformanceDriver>
  /** What the CRDs of its node classes accept and refuse. */
  readonly nodeClassCases?: () => readonly ConformanceCase[]
  /** What the CRDs of the core kinds accept and refuse with the provider's rules (`chart.coreRules`). */
  readonly coreRuleCases?: () => readonly ConformanceCase[]
}
