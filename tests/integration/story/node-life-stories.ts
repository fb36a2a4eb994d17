import { runBudgetWindowStory } from './budget-window-story.ts'
import { runDeletionStory, runLostInstanceStory } from './by-hand-story.ts'
import { runDoNotDisruptStory } from './do-not-disrupt-story.ts'
import { runDriftStory } from './drift-story.ts'
import { runExpirationStory } from './expiration-story.ts'
import { runGracePeriodStory } from './grace-period-story.ts'
import { runScaleStory } from './scale-story.ts'
import { runStaticPoolStory } from './static-pool-story.ts'
import type { StoryCluster } from './story-cluster.ts'
import { runForeignStory, runPodBudgetsStory, runPoolBudgetsStory } from './wrong-input-story.ts'

/** The stories about the lifecycle of nodes. Each runs in the sandbox and on a real control plane. */
export const stories: readonly (readonly [string, (cluster: StoryCluster) => Promise<void>])[] = [
  ['500 pods up and down', runScaleStory],
  ['drift under a PodDisruptionBudget that blocks and is relaxed', runDriftStory],
  ['expiration in spite of budgets', runExpirationStory],
  ['a budget of 0 in a cron window', runBudgetWindowStory],
  ['do-not-disrupt on a pod, on a node and for a while', runDoNotDisruptStory],
  ['terminationGracePeriod with forced deletion', runGracePeriodStory],
  ['a static pool scaled by its scale subresource', runStaticPoolStory],
  ['a Node and a NodeClaim deleted by hand', runDeletionStory],
  ['an instance ended by hand', runLostInstanceStory],
  ['several PodDisruptionBudgets on a pod, and one that says nothing', runPodBudgetsStory],
  ['budgets that overlap, and budgets that cannot be read', runPoolBudgetsStory],
  ['foreign finalizers, and a node without a claim', runForeignStory],
]
