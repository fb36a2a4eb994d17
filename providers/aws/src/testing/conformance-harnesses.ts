import type { ConformanceHarness } from '@kerf/provider-contract/conformance'
import type { AwsHarness } from './aws-harness.ts'

const harnesses = new WeakMap<ConformanceHarness, AwsHarness>()

/** Records the AWS harness of a harness of the suite. */
export const keepAwsHarness = (harness: ConformanceHarness, own: AwsHarness): void => {
  harnesses.set(harness, own)
}

/**
 * Returns the AWS harness of a harness of the suite, for the checks of this package.
 *
 * @throws Error for a harness that the AWS driver did not create.
 */
export const awsHarnessOf = (harness: ConformanceHarness): AwsHarness => {
  const found = harnesses.get(harness)
  if (found === undefined) throw new Error('the AWS driver did not make this harness')
  return found
}
