import { tellBudgetWindowStory } from './budget-window-story.ts'
import { tellDeletionStory, tellLostInstanceStory } from './by-hand-story.ts'
import { tellDoNotDisruptStory } from './do-not-disrupt-story.ts'
import { tellDriftStory } from './drift-story.ts'
import { tellExpirationStory } from './expiration-story.ts'
import { tellGracePeriodStory } from './grace-period-story.ts'
import { tellScaleStory } from './scale-story.ts'
import { tellStaticPoolStory } from './static-pool-story.ts'
import type { StoryCluster } from './story-cluster.ts'
import { tellForeignStory, tellPodBudgetsStory, tellPoolBudgetsStory } from './wrong-input-story.ts'

/** The stories of nodes' lives, each told in the sandbox and on a real control plane. */
export const stories: readonly (readonly [string, (cluster: StoryCluster) => Promise<void>])[] = [
  ['500 pods up and down', tellScaleStory],
  ['drift under a PodDisruptionBudget that blocks and is relaxed', tellDriftStory],
  ['expiration in spite of budgets', tellExpirationStory],
  ['a budget of 0 in a cron window', tellBudgetWindowStory],
  ['do-not-disrupt on a pod, on a node and for a while', tellDoNotDisruptStory],
  ['terminationGracePeriod with forced deletion', tellGracePeriodStory],
  ['a static pool scaled by its scale subresource', tellStaticPoolStory],
  ['a Node and a NodeClaim deleted by hand', tellDeletionStory],
  ['an instance ended by hand', tellLostInstanceStory],
  ['several PodDisruptionBudgets on a pod, and one that says nothing', tellPodBudgetsStory],
  ['budgets that overlap, and budgets that cannot be read', tellPoolBudgetsStory],
  ['foreign finalizers, and a node without a claim', tellForeignStory],
]
