import { checkGroups } from '@kerf/provider-contract'
import type { Check } from './check.ts'
import { cld008 } from './checks/cld-008-price-age.ts'
import { cld009 } from './checks/cld-009-clocks.ts'
import { cld010 } from './checks/cld-010-declared-prices.ts'
import { cox001 } from './checks/cox-001-cluster-autoscaler.ts'
import { cox002 } from './checks/cox-002-served-by-both.ts'
import { cox003 } from './checks/cox-003-bought-twice.ts'
import { cox004 } from './checks/cox-004-evicted-by-both.ts'
import { cox005 } from './checks/cox-005-autoscaler-unhealthy.ts'
import { cox006 } from './checks/cox-006-node-ceiling.ts'
import { cox007 } from './checks/cox-007-controller-in-shrinking-group.ts'
import { cox008 } from './checks/cox-008-safe-to-evict-alone.ts'
import { cox009 } from './checks/cox-009-silently-protected.ts'
import { cox010 } from './checks/cox-010-left-over-taints.ts'
import { cox012 } from './checks/cox-012-two-controllers.ts'
import { cox014 } from './checks/cox-014-shared-buffers.ts'
import { cox016 } from './checks/cox-016-descheduler.ts'
import { cox017 } from './checks/cox-017-not-trigger-scale-up.ts'
import { cox018 } from './checks/cox-018-do-not-disrupt-alone.ts'
import { ctl001 } from './checks/ctl-001-controller-not-ready.ts'
import { ctl002 } from './checks/ctl-002-one-node-less.ts'
import { ctl003 } from './checks/ctl-003-definitions.ts'
import { ctl004 } from './checks/ctl-004-permissions.ts'
import { ctl005 } from './checks/ctl-005-controller-size.ts'
import { ctl006 } from './checks/ctl-006-controller-availability.ts'
import { ctl007 } from './checks/ctl-007-flow-schema.ts'
import { ctl008 } from './checks/ctl-008-webhooks-on-own-nodes.ts'
import { ctl009 } from './checks/ctl-009-versions.ts'
import { ctl010 } from './checks/ctl-010-feature-gates.ts'
import { ctl011 } from './checks/ctl-011-dns-on-own-nodes.ts'
import { ctl012 } from './checks/ctl-012-critical-pods-on-own-nodes.ts'
import { pool001 } from './checks/pool-001-not-ready.ts'
import { pool002 } from './checks/pool-002-no-offering.ts'
import { pool003 } from './checks/pool-003-equal-weight.ts'
import { pool004 } from './checks/pool-004-no-limits.ts'
import { pool005 } from './checks/pool-005-limit-nearly-used.ts'
import { pool006 } from './checks/pool-006-narrow-spot.ts'
import { pool007 } from './checks/pool-007-budgets.ts'
import { pool008 } from './checks/pool-008-no-grace-period.ts'
import { pool009 } from './checks/pool-009-expiry-together.ts'
import { pool010 } from './checks/pool-010-agents-do-not-tolerate.ts'
import { pool016 } from './checks/pool-016-drifted.ts'
import { pool017 } from './checks/pool-017-churn.ts'
import { pool018 } from './checks/pool-018-refused.ts'
import { wl001 } from './checks/wl-001-closed-disruption-budgets.ts'
import { wl002 } from './checks/wl-002-single-replica.ts'
import { wl003 } from './checks/wl-003-no-requests.ts'
import { wl004 } from './checks/wl-004-served-by-none.ts'
import { wl005 } from './checks/wl-005-longer-than-drain.ts'
import { wl006 } from './checks/wl-006-node-group-selectors.ts'
import { wl007 } from './checks/wl-007-volumes-in-other-zones.ts'
import { wl008 } from './checks/wl-008-preferences-that-cost.ts'
import { wl009 } from './checks/wl-009-agents-without-priority.ts'
import { wl010 } from './checks/wl-010-unknown-resources.ts'
import { wl011 } from './checks/wl-011-protected-for-long.ts'
import { wl012 } from './checks/wl-012-slow-drains.ts'
import { wl013 } from './checks/wl-013-no-autoscaler-acts.ts'
import { wl014 } from './checks/wl-014-unknown-topology-keys.ts'
import { providerChecks } from './provider-checks.ts'

/** The checks that apply to every cloud. To add a check, add one line here. */
const ownChecks: readonly Check[] = [
  cox001,
  cox002,
  cox003,
  cox004,
  cox005,
  cox006,
  cox007,
  cox008,
  cox009,
  cox010,
  cox012,
  cox014,
  cox016,
  cox017,
  cox018,
  ctl001,
  ctl002,
  ctl003,
  ctl004,
  ctl005,
  ctl006,
  ctl007,
  ctl008,
  ctl009,
  ctl010,
  ctl011,
  ctl012,
  pool001,
  pool002,
  pool003,
  pool004,
  pool005,
  pool006,
  pool007,
  pool008,
  pool009,
  pool010,
  pool016,
  pool017,
  pool018,
  wl001,
  wl002,
  wl003,
  wl004,
  wl005,
  wl006,
  wl007,
  wl008,
  wl009,
  wl010,
  wl011,
  wl012,
  wl013,
  wl014,
  cld008,
  cld009,
  cld010,
]

/** Returns every check of `kerf doctor`, including those of all providers, in the order of the report: by group and id. */
export const loadChecks = async (): Promise<readonly Check[]> => {
  const ofProviders = await Promise.all(providerChecks.map(async ({ load }) => await load()))
  return [...ownChecks, ...ofProviders.flat()].toSorted(
    (a, b) => checkGroups.indexOf(a.group) - checkGroups.indexOf(b.group) || (a.id < b.id ? -1 : 1),
  )
}
