import type { DoctorCheck } from '@kerf/provider-contract'
import { cld001 } from './cld-001-controller-permissions.ts'
import { cld002 } from './cld-002-wide-permissions.ts'
import { cld003 } from './cld-003-node-role.ts'
import { cld004 } from './cld-004-lost-instances.ts'
import { cld005 } from './cld-005-queue.ts'
import { cld006 } from './cld-006-quotas.ts'
import { cld007 } from './cld-007-left-launch-templates.ts'
import { cox011 } from './cox-011-noise-about-nodes.ts'
import { cox013 } from './cox-013-two-interruption-handlers.ts'
import { cox015 } from './cox-015-zone-rebalance.ts'
import { pool011 } from './pool-011-node-class.ts'
import { pool012 } from './pool-012-free-addresses.ts'
import { pool013 } from './pool-013-hop-limit.ts'
import { pool014 } from './pool-014-cluster-security-groups.ts'
import { pool015 } from './pool-015-roles-without-a-fence.ts'
import { pool019 } from './pool-019-kubelet-annotation.ts'

/** All checks that are specific to AWS. To add a check, add one line here. */
export const checks: readonly DoctorCheck[] = [
  cld001,
  cld002,
  cld003,
  cld004,
  cld005,
  cld006,
  cld007,
  cox011,
  cox013,
  cox015,
  pool011,
  pool012,
  pool013,
  pool014,
  pool015,
  pool019,
]
