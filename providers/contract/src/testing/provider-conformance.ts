import type { CheckId } from './checks.ts'
import type { ConformanceDriver } from './conformance-driver.ts'

/**
 * What the `./testing` export of a provider's package holds under the name `conformance`. The driver loads the test runner,
 * so it comes apart from what generators read.
 */
export interface ProviderConformance {
  /** Checks that cannot apply, each with the reason. */
  readonly notApplicable: Partial<Readonly<Record<CheckId, string>>>
  driver(): Promise<ConformanceDriver>
}
