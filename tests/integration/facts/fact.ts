/** A fact that other tests prove: those with these titles, in any file. */
interface TestedElsewhere {
  readonly text: string
  readonly tests: readonly string[]
}

/** A fact without a test, with the reason. */
interface NotTested {
  readonly text: string
  readonly why: string
}

/** One line of the spec. If it is only a text, the test with that title in this folder proves it. */
export type Fact = string | TestedElsewhere | NotTested

export const at = (text: string, ...tests: readonly string[]): TestedElsewhere => ({ text, tests })

export const without = (text: string, why: string): NotTested => ({ text, why })

/** The reason why Kerf has no tests for time limits of upstream. */
export const UPSTREAM_LIMITS =
  'There are no time-outs: every candidate is evaluated in every round, and work is bounded instead.'
