import type { MakeInvariant } from './invariant.ts'

/** At the end, failed launches and terminated instances have left nothing behind. */
export const leftoversAreCollected: MakeInvariant = ({ cloud }) => ({
  name: 'leftovers-are-collected',
  eventually: () => (cloud.leftovers?.() ?? []).map((each) => `${each} belongs to no instance and no claim`),
})
