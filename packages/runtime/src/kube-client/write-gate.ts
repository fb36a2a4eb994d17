/** Checked immediately before each request that changes something in a cluster or a cloud. */
export interface WriteGate {
  /** Throws `LeaseLost` while this process must not change anything. */
  check(): void
}
