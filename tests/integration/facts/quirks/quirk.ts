interface Judged {
  readonly upstream: string
  readonly verdict: 'kept' | 'better' | 'different'
  readonly kerf: string
}

interface Tested {
  /** The titles of tests in any file. A check of the provider contract is given by its number and text. */
  readonly tests: readonly [string, ...string[]]
}

interface Untested {
  readonly why: string
}

type Proof = Tested['tests'] | readonly [Untested]

/** A behavior of upstream that looks accidental, and the behavior of Kerf. */
export type Quirk = Judged & (Tested | Untested)

/** The quirks of core or of one provider, by area, in the order of the page. */
export type Quirks = Readonly<Record<string, readonly Quirk[]>>

const isReason = (proof: Proof): proof is readonly [Untested] => typeof proof[0] !== 'string'

const judged = (judgement: Judged, proof: Proof): Quirk =>
  isReason(proof) ? { ...judgement, why: proof[0].why } : { ...judgement, tests: proof }

export const kept = (upstream: string, kerf: string, ...proof: Proof): Quirk =>
  judged({ upstream, verdict: 'kept', kerf }, proof)

export const better = (upstream: string, kerf: string, ...proof: Proof): Quirk =>
  judged({ upstream, verdict: 'better', kerf }, proof)

/**
 * Returns a quirk for which Kerf, or a library that Kerf uses, behaves differently. Users do not rely on upstream's behavior, and no
 * documentation promises it.
 */
export const different = (upstream: string, kerf: string, ...proof: Proof): Quirk =>
  judged({ upstream, verdict: 'different', kerf }, proof)

/** States why there is no test, in place of test titles. */
export const untested = (why: string): Untested => ({ why })
