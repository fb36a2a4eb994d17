/** Chance as an argument: seeded in tests and simulations, from the operating system in production. */
export interface Random {
  /** Uniform in [0, 1). */
  next(): number
  /** Uniform integer in [0, 2^32). */
  uint32(): number
  /** A version-4 UUID drawn from this source. */
  uuid(): string
  /** `length` characters of `alphabet`, by default the one that Kubernetes uses for generated names. */
  text(length: number, alphabet?: string): string
}
