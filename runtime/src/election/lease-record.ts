import type { Lease, Milliseconds } from '@kerf/apis'

/** A time as `MicroTime`: RFC 3339 with six digits of a second. */
export const microTime = (time: Milliseconds): string => new Date(time).toISOString().replace('Z', '000Z')

/** What a candidate reads out of a Lease. An empty holder is nobody. */
export const holderOf = (lease: Lease): string => lease.spec?.holderIdentity ?? ''

/** Whether two readings show the same record, so that the holder has done nothing in between. */
export const sameRecord = (a: Lease, b: Lease): boolean =>
  a.metadata.uid === b.metadata.uid &&
  holderOf(a) === holderOf(b) &&
  a.spec?.renewTime === b.spec?.renewTime &&
  a.spec?.acquireTime === b.spec?.acquireTime &&
  a.spec?.leaseTransitions === b.spec?.leaseTransitions

export interface LeaseClaim {
  readonly identity: string
  readonly now: Milliseconds
  readonly duration: Milliseconds
}

/** The spec that a candidate writes to hold the lease, following on `previous`. */
export const claimedSpec = (previous: Lease | undefined, claim: LeaseClaim): NonNullable<Lease['spec']> => {
  const spec = previous?.spec
  const renews = previous !== undefined && holderOf(previous) === claim.identity
  const transitions = spec?.leaseTransitions ?? 0
  const now = microTime(claim.now)
  return {
    holderIdentity: claim.identity,
    leaseDurationSeconds: Math.ceil(claim.duration / 1_000),
    acquireTime: renews && spec?.acquireTime ? spec.acquireTime : now,
    renewTime: now,
    leaseTransitions: previous === undefined || renews ? transitions : transitions + 1,
  }
}

/** The spec that hands the lease back: nobody's, and free after a second. */
export const releasedSpec = (held: Lease, now: Milliseconds): NonNullable<Lease['spec']> => ({
  ...held.spec,
  holderIdentity: '',
  leaseDurationSeconds: 1,
  acquireTime: microTime(now),
  renewTime: microTime(now),
})
