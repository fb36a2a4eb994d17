import { describeWithCustomResources } from '@kerf/control-plane/testing'
import { SystemClock, SystemRandom } from '@kerf/runtime'
import { describe, test } from 'vitest'
import { emptied, realStory, type StoryCluster, sandboxStory, startKerf } from './story-cluster.ts'
import { runHeldChangeStory, runHeldRemovalStory } from './what-if-held-story.ts'
import { runChangeStory, runRemovalStory } from './what-if-story.ts'

const stories: readonly (readonly [title: string, tell: (cluster: StoryCluster) => Promise<void>])[] = [
  ['kerf plan --change says which nodes drift, which is replaced first and what replaces them', runChangeStory],
  ['kerf simulate remove node tells where the pods go', runRemovalStory],
  ['kerf plan --change tells what a full limit, a budget and an annotation keep', runHeldChangeStory],
  ['kerf simulate remove node tells what stays, and what a volume and a daemon change', runHeldRemovalStory],
]

describe('what if, in the sandbox', () => {
  test.each(stories)('%s', async (_title, tell) => {
    const cluster = await sandboxStory(1)
    try {
      await tell(cluster)
    } finally {
      await cluster.close()
    }
  })
})

describeWithCustomResources('what if, on a real control plane', (shared) => {
  test.each(stories)('%s', async (_title, tell) => {
    const cluster = await realStory(await emptied(shared()), async (client) => {
      const { stop } = await startKerf(client, new SystemClock(), new SystemRandom(), { simulateKubelet: true })
      return stop
    })
    try {
      await tell(cluster)
    } finally {
      await cluster.close()
    }
  })
})
