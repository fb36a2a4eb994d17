import type { Key, Translate } from '../locales/translate.ts'

/** The reasons for which controllers delete NodeClaims: the label `reason` of `karpenter_nodeclaims_disrupted_total`. */
const REASONS: ReadonlySet<string> = new Set([
  'asleep',
  'capacity_block_expiring',
  'capacity_reservation_interrupted',
  'drifted',
  'empty',
  'expired',
  'garbage_collected',
  'instance_stopped',
  'instance_terminated',
  'insufficient_capacity',
  'interruption',
  'launch_timeout',
  'nodeclass_not_ready',
  'registration_timeout',
  'scheduled_change',
  'spot_interrupted',
  'underutilized',
  'unhealthy',
])

/** Returns why a node was removed, in the user's language. A reason that is unknown in this version is returned unchanged. */
export const removalText = (reason: string, t: Translate): string =>
  REASONS.has(reason) ? t(`removedAs.${reason}` as Key) : reason
