import type { DoctorCheck } from '@kerf/provider-contract'
import { cox022 } from './cox-022-other-provider.ts'
import { cox023 } from './cox-023-no-interruption-notices.ts'
import { pool022 } from './pool-022-node-class.ts'
import { pool023 } from './pool-023-way-back.ts'
import { pool024 } from './pool-024-password.ts'

/** All checks that are specific to Alibaba Cloud. Add new checks here. */
export const checks: readonly DoctorCheck[] = [cox022, cox023, pool022, pool023, pool024]
