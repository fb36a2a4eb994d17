/** An instance that costs money, as the cloud reports it. */
export interface LiveInstance {
  readonly providerID: string
  readonly claimUid: string
  /** The launch time on the monotonic clock. Only some clouds report it. */
  readonly launchedAt?: number
  /**
   * Whether this is a duplicate: two processes launched an instance for the same NodeClaim, because the cloud had not yet listed the first
   * one when the second process launched its own.
   */
  readonly isBlind?: boolean
}
