import { ownHarnesses } from '@kerf/provider-contract/conformance'
import type { AwsHarness } from './aws-harness.ts'

/** The AWS harness of each harness of the conformance suite. */
export const harnesses = ownHarnesses<AwsHarness>()
