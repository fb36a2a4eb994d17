/** Checked immediately before each request that changes something, at an API server or at a cloud. */
export interface WriteGate {
  /** Throws `LeaseLost` while this process may not change anything. */
  check(): void
}
