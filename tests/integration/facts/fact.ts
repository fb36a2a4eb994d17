/** A fact that tests elsewhere prove: the tests with these titles, in any file. */
interface TestedElsewhere {
  readonly text: string
  readonly tests: readonly string[]
}

/** A fact that has no test, with the reason. */
interface NotTested {
  readonly text: string
  readonly why: string
}

/** One assertion about scheduling or disruption. If it is only a string, the test with that title in this folder proves it. */
export type Fact = string | TestedElsewhere | NotTested

export const at = (text: string, ...tests: readonly string[]): TestedElsewhere => ({ text, tests })

export const without = (text: string, why: string): NotTested => ({ text, why })

/** The reason why no tests of Kerf correspond to upstream's tests of time limits. */
export const UPSTREAM_LIMITS =
  'There are no time-outs: every candidate is evaluated in every round, and work is bounded instead.'
