import { runAccessStory } from './access-story.ts'
import { runCeilingStory } from './ceiling-story.ts'
import { runCommitmentStory } from './commitment-story.ts'
import { runPriceBookStory } from './price-book-story.ts'
import { runSleepStory } from './sleep-story.ts'
import type { StoryCluster } from './story-cluster.ts'

/** The stories about policies. Each has a cluster of its own, because a policy may concern every NodePool. */
export const policyStories: readonly (readonly [string, (cluster: StoryCluster) => Promise<void>])[] = [
  ['ceilings over two NodePools', runCeilingStory],
  ['prices that a team declares', runPriceBookStory],
  ['a NodePool for one team', runAccessStory],
  ['a NodePool that sleeps, with a deadline', runSleepStory],
  ['instances that a team has paid for', runCommitmentStory],
]
