import type { MakeInvariant } from '../invariants/invariant.ts'
import type { Story } from './story.ts'

/** Returns the rules that a story must satisfy in addition to the invariants. */
export const storyInvariants = ({ most, missing }: Story): readonly MakeInvariant[] => [
  (environment) => ({ name: 'story-ends', eventually: () => missing(environment) }),
  (environment) => ({
    name: 'no-excess-claims',
    always: () => {
      const { length } = environment.claims().filter(({ metadata }) => metadata.deletionTimestamp === undefined)
      return length > most ? [`there are ${length} NodeClaims, and ${most} are enough`] : []
    },
  }),
]
