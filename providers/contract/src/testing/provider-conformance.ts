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
}
