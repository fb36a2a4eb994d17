import type { DoctorCheck } from '@kerf/provider-contract'
import { cox019 } from './cox-019-removed-labels.ts'
import { cox020 } from './cox-020-autopilot.ts'
import { cox021 } from './cox-021-node-auto-provisioning.ts'
import { pool020 } from './pool-020-images.ts'
import { pool021 } from './pool-021-names.ts'

/** All checks that are specific to Google Cloud. Add new checks here. */
export const checks: readonly DoctorCheck[] = [cox019, cox020, cox021, pool020, pool021]
