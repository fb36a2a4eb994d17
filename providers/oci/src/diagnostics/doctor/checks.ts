import type { DoctorCheck } from '@kerf/provider-contract'
import { pool050 } from './pool-050-capacity-types.ts'
import { pool051 } from './pool-051-spot-taint.ts'
import { pool052 } from './pool-052-node-class.ts'

/** All checks that are specific to Oracle Cloud. Add new checks here. */
export const checks: readonly DoctorCheck[] = [pool050, pool051, pool052]
