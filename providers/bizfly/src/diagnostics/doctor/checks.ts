import type { DoctorCheck } from '@kerf/provider-contract'
import { cox030 } from './cox-030-default-class.ts'
import { pool030 } from './pool-030-capacity-types.ts'
import { pool031 } from './pool-031-node-class.ts'

/** All checks that are specific to Bizfly Cloud. Add new checks here. */
export const checks: readonly DoctorCheck[] = [cox030, pool030, pool031]
