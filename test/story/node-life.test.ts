import { freePort } from '@kerf/control-plane'
import { describeOnCluster } from '@kerf/control-plane/testing'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { tellBudgetWindowStory } from './budget-window-story.ts'
import { tellDeletionStory, tellLostInstanceStory } from './by-hand-story.ts'
import { tellDoNotDisruptStory } from './do-not-disrupt-story.ts'
import { tellDriftStory } from './drift-story.ts'
import { tellExpirationStory } from './expiration-story.ts'
import { tellGracePeriodStory } from './grace-period-story.ts'
import { KerfProcess } from './kerf-process.ts'
import { tellScaleStory } from './scale-story.ts'
import { scrape } from './scrape.ts'
import { tellStaticPoolStory } from './static-pool-story.ts'
import { realStory, type StoryCluster, sandboxStory } from './story-cluster.ts'
import { tellForeignStory, tellPodBudgetsStory, tellPoolBudgetsStory } from './wrong-input-story.ts'

const stories: readonly (readonly [string, (cluster: StoryCluster) => Promise<void>])[] = [
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

describe('the life of nodes, in the sandbox', () => {
  test.each(stories)('%s', { timeout: 300_000 }, async (_name, tell) => {
    const cluster = await sandboxStory()
    try {
      await tell(cluster)
    } finally {
      await cluster.close()
    }
  })
})

// The stories keep to pools and namespaces of their own and are told at the same time, by one process of Kerf.
describeOnCluster('the life of nodes, on a real control plane', (shared) => {
  let cluster: StoryCluster | undefined
  beforeAll(async () => {
    const port = await freePort()
    cluster = await realStory(
      shared(),
      async () => {
        const flags = [
          '--disable-leader-election',
          '--log-format=json',
          `--metrics-port=${port}`,
          '--feature-gates=StaticCapacity=true',
        ]
        const kerf = KerfProcess.start(shared().kubeconfig, flags)
        return async () => {
          await kerf.stop()
        }
      },
      () => scrape(port),
    )
  })
  afterAll(() => cluster?.close())

  test.concurrent.each(stories)('%s', { timeout: 900_000 }, async (_name, tell) => {
    if (cluster === undefined) throw new Error('no cluster')
    await tell(cluster)
  })
})
