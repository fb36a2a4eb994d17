import type { DoctorCheck } from '@kerf/provider-contract'
import { pool040 } from './pool-040-capacity-types.ts'
import { pool041 } from './pool-041-spot-taint.ts'
import { pool042 } from './pool-042-node-class.ts'

/** All checks that are specific to Oracle Cloud. A new check adds one line here. */
export const checks: readonly DoctorCheck[] = [pool040, pool041, pool042]
