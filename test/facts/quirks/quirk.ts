interface Judged {
  readonly upstream: string
  readonly verdict: 'kept' | 'better' | 'different'
  readonly kerf: string
}

interface Tested {
  /** Titles of tests, wherever they are; a check of the provider contract is called by number and text. */
  readonly tests: readonly [string, ...string[]]
}

interface Untested {
  readonly why: string
}

type Proof = Tested['tests'] | readonly [Untested]

/** A behaviour of upstream that looks accidental, and what Kerf makes of it. */
export type Quirk = Judged & (Tested | Untested)

/** The quirks of one part by area, in the order of the page. */
export type Quirks = Readonly<Record<string, readonly Quirk[]>>

const isReason = (proof: Proof): proof is readonly [Untested] => typeof proof[0] !== 'string'

const judged = (judgement: Judged, proof: Proof): Quirk =>
  isReason(proof) ? { ...judgement, why: proof[0].why } : { ...judgement, tests: proof }

export const kept = (upstream: string, kerf: string, ...proof: Proof): Quirk =>
  judged({ upstream, verdict: 'kept', kerf }, proof)

export const better = (upstream: string, kerf: string, ...proof: Proof): Quirk =>
  judged({ upstream, verdict: 'better', kerf }, proof)

/** Neither relied on nor promised: a choice of ours, or of what we build on. */
export const different = (upstream: string, kerf: string, ...proof: Proof): Quirk =>
  judged({ upstream, verdict: 'different', kerf }, proof)

/** Stands where titles of tests would: why there is no test. */
export const untested = (why: string): Untested => ({ why })
