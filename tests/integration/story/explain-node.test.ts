import { describeWithCustomResources } from '@kerf/control-plane/testing'
import { SystemClock, SystemRandom } from '@kerf/runtime'
import { describe, test } from 'vitest'
import { runExplainNodeStory } from './explain-node-story.ts'
import { realStory, sandboxStory, startKerf } from './story-cluster.ts'

describe('kerf explain node, in the sandbox', () => {
  test('names each blocker of a node until none is left', async () => {
    const cluster = await sandboxStory(1)
    try {
      await runExplainNodeStory(cluster)
    } finally {
      await cluster.close()
    }
  })
})

describeWithCustomResources('kerf explain node, on a real control plane', (shared) => {
  test('names each blocker of a node until none is left', async () => {
    const cluster = await realStory(shared(), async (client) => {
      const { stop } = await startKerf(client, new SystemClock(), new SystemRandom(), { simulateKubelet: true })
      return stop
    })
    try {
      await runExplainNodeStory(cluster)
    } finally {
      await cluster.close()
    }
  })
})
