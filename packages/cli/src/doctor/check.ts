import type { DoctorCheck } from '@kerf/provider-contract'
import type { Audit } from './audit.ts'

/** A check with access to the complete audit. */
export type Check = DoctorCheck<Audit>
