/** An instance that costs money, from the cloud's point of view. */
export interface LiveInstance {
  readonly providerID: string
  readonly claimUid: string
  /** In the clock's monotonic time. Only some clouds report it. */
  readonly launchedAt?: number
  /**
   * Two processes launched for the same claims. The cloud did not list the first instance yet when the second process
   * launched.
   */
  readonly isBlind?: boolean
}
