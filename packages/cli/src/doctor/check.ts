import type { DoctorCheck } from '@kerf/provider-contract'
import type { Audit } from './audit.ts'

/** A check that can use everything in the audit. */
export type Check = DoctorCheck<Audit>
