import type { ConformanceHarness } from '@kerf/provider-contract/conformance'
import type { AzureHarness } from './azure-harness.ts'

const harnesses = new WeakMap<ConformanceHarness, AzureHarness>()

/** Records which Azure harness belongs to a harness of the conformance suite. */
export const keepAzureHarness = (harness: ConformanceHarness, own: AzureHarness): void => {
  harnesses.set(harness, own)
}

/**
 * Returns the Azure harness that belongs to a harness of the conformance suite, for the checks of this package.
 *
 * @throws Error for a harness that the driver did not create.
 */
export const findAzureHarness = (harness: ConformanceHarness): AzureHarness => {
  const found = harnesses.get(harness)
  if (found === undefined) throw new Error('the Azure driver did not make this harness')
  return found
}
