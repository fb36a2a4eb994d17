import { formatMicroTime, type Lease, type Milliseconds } from '@kerf/apis'

/** Returns the holder of a Lease, or an empty string if it has none. */
export const leaseHolder = (lease: Lease): string => lease.spec?.holderIdentity ?? ''

/** Returns whether two Leases have the same record, which means that the holder did not renew in between. */
export const sameRecord = (a: Lease, b: Lease): boolean =>
  a.metadata.uid === b.metadata.uid &&
  leaseHolder(a) === leaseHolder(b) &&
  a.spec?.renewTime === b.spec?.renewTime &&
  a.spec?.acquireTime === b.spec?.acquireTime &&
  a.spec?.leaseTransitions === b.spec?.leaseTransitions

export interface LeaseClaim {
  readonly identity: string
  readonly now: Milliseconds
  readonly duration: Milliseconds
}

/** Returns the spec that a candidate writes to acquire or renew the lease, based on the spec of `previous`. */
export const claimedSpec = (previous: Lease | undefined, claim: LeaseClaim): NonNullable<Lease['spec']> => {
  const spec = previous?.spec
  const renews = previous !== undefined && leaseHolder(previous) === claim.identity
  const transitions = spec?.leaseTransitions ?? 0
  const now = formatMicroTime(claim.now)
  return {
    holderIdentity: claim.identity,
    leaseDurationSeconds: Math.ceil(claim.duration / 1_000),
    acquireTime: renews && spec?.acquireTime ? spec.acquireTime : now,
    renewTime: now,
    leaseTransitions: previous === undefined || renews ? transitions : transitions + 1,
  }
}

/** Returns the spec that releases the lease: without a holder, and with a duration of one second. */
export const releasedSpec = (held: Lease, now: Milliseconds): NonNullable<Lease['spec']> => ({
  ...held.spec,
  holderIdentity: '',
  leaseDurationSeconds: 1,
  acquireTime: formatMicroTime(now),
  renewTime: formatMicroTime(now),
})
