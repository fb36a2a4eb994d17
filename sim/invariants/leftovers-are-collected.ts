import type { MakeInvariant } from './invariant.ts'

/** In the end nothing is left of launches that broke off and of instances that are gone. */
export const leftoversAreCollected: MakeInvariant = ({ cloud }) => ({
  name: 'leftovers-are-collected',
  eventually: () => (cloud.leftovers?.() ?? []).map((each) => `${each} belongs to no instance and no claim`),
})
