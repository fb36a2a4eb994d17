/** Checked immediately before each request to an API server or a cloud that changes something. */
export interface WriteGate {
  /** Throws `LeaseLost` while this process may not change anything. */
  check(): void
}
