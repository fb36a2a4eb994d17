import type { ConformanceCase } from '@kerf/apis/conformance'
import type { CheckId } from './checks.ts'
import type { ConformanceDriver } from './conformance-driver.ts'

/**
 * The type of the export `conformance` in the `./testing` module of a provider's package. It is a separate module because the driver
 * loads the test runner, which generators must not load.
 */
export interface ProviderConformance {
  /** Checks that do not apply, each with the reason. */
  readonly notApplicable: Partial<Readonly<Record<CheckId, string>>>
  driver(): Promise<ConformanceDriver>
  /** Node classes that their CRDs must accept or refuse. */
  readonly nodeClassCases?: () => readonly ConformanceCase[]
  /** Objects of core kinds that the CRDs with the provider's rules (`chart.coreRules`) must accept or refuse. */
  readonly coreRuleCases?: () => readonly ConformanceCase[]
}
