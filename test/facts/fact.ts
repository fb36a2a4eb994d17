/** A fact that is tested elsewhere, by the tests with these titles, wherever they are. */
interface TestedElsewhere {
  readonly text: string
  readonly tests: readonly string[]
}

/** A fact that is not tested, and why. */
interface NotTested {
  readonly text: string
  readonly why: string
}

/** One line of the spec. A text alone is tested in this folder, by the test with that title. */
export type Fact = string | TestedElsewhere | NotTested

export const at = (text: string, ...tests: readonly string[]): TestedElsewhere => ({ text, tests })

export const without = (text: string, why: string): NotTested => ({ text, why })

/** Why time-outs of upstream have no test of ours. */
export const UPSTREAM_LIMITS =
  'There are no time-outs: every candidate is evaluated in every round, and work is bounded instead.'
