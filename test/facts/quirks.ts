/** A behaviour of upstream that looks accidental, and what Kerf makes of it. */
export interface Quirk {
  readonly upstream: string
  readonly verdict: 'kept' | 'better'
  readonly kerf: string
  /** Titles of tests, wherever they are. */
  readonly tests: readonly string[]
}

export const quirks: readonly Quirk[] = []
