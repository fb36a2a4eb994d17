import { ownHarnesses } from '@kerf/provider-contract/conformance'
import type { AzureHarness } from './azure-harness.ts'

/** The Azure harness of each harness of the conformance suite. */
export const harnesses = ownHarnesses<AzureHarness>()
