/** Every request that changes something, at an API server or at a cloud, asks it right before it is sent. */
export interface WriteGate {
  /** Throws `LeaseLost` while this process may not change anything. */
  check(): void
}
