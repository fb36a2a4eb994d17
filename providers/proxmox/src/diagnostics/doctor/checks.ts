import type { DoctorCheck } from '@kerf/provider-contract'
import { cox040 } from './cox-040-cloud-controller.ts'
import { pool040 } from './pool-040-node-class.ts'

/** All checks that are specific to Proxmox. Add new checks here. */
export const checks: readonly DoctorCheck[] = [cox040, pool040]
