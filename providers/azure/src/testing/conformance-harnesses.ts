import { ownHarnesses } from '@kerf/provider-contract/conformance'
import type { AzureHarness } from './azure-harness.ts'

/** Maps each harness of the conformance suite to its Azure harness. */
export const harnesses = ownHarnesses<AzureHarness>()
