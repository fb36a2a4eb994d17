import type { ConformanceHarness } from '@kerf/provider-contract/conformance'
import type { AwsHarness } from './aws-harness.ts'

const harnesses = new WeakMap<ConformanceHarness, AwsHarness>()

/** Records which AWS harness belongs to a harness of the conformance suite. */
export const keepAwsHarness = (harness: ConformanceHarness, own: AwsHarness): void => {
  harnesses.set(harness, own)
}

/**
 * Returns the AWS harness that belongs to a harness of the conformance suite, for the checks of this package.
 *
 * @throws Error for a harness that the AWS driver did not create.
 */
export const findAwsHarness = (harness: ConformanceHarness): AwsHarness => {
  const found = harnesses.get(harness)
  if (found === undefined) throw new Error('the AWS driver did not make this harness')
  return found
}
