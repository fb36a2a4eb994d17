import type { MakeInvariant } from './invariant.ts'

/** At the end nothing is left of failed launches and of terminated instances. */
export const leftoversAreCollected: MakeInvariant = ({ cloud }) => ({
  name: 'leftovers-are-collected',
  eventually: () => (cloud.leftovers?.() ?? []).map((each) => `${each} belongs to no instance and no claim`),
})
