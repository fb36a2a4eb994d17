import { ownHarnesses } from '@kerf/provider-contract/conformance'
import type { AwsHarness } from './aws-harness.ts'

/** Maps each harness of the conformance suite to its AWS harness. */
export const harnesses = ownHarnesses<AwsHarness>()
