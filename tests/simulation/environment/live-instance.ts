/** An instance that costs money, as the cloud reports it. */
export interface LiveInstance {
  readonly providerID: string
  readonly claimUid: string
  /** The launch time on the monotonic clock. Only some clouds report it. */
  readonly launchedAt?: number
  /**
   * Whether this is a duplicate. Two processes launched instances for the same NodeClaim, and the cloud did not list the first instance yet
   * when the second process launched its own.
   */
  readonly isBlind?: boolean
}
