import { describeWithCustomResources } from '@kerf/control-plane/testing'
import { SystemClock, SystemRandom } from '@kerf/runtime'
import { describe, test } from 'vitest'
import { runNginxStory } from './nginx-story.ts'
import { realStory, sandboxStory, startKerf } from './story-cluster.ts'

describe('ten nginx pods, in the sandbox', () => {
  test.each([1, 2, 3])('get nodes, grow, shrink and survive the loss of a node (seed %i)', async (seed) => {
    const cluster = await sandboxStory(seed)
    try {
      await runNginxStory(cluster)
    } finally {
      await cluster.close()
    }
  })
})

describeWithCustomResources('ten nginx pods, on a real control plane', (shared) => {
  test('get nodes, grow, shrink and survive the loss of a node', async () => {
    const cluster = await realStory(shared(), async (client) => {
      const { stop } = await startKerf(client, new SystemClock(), new SystemRandom(), { simulateKubelet: true })
      return stop
    })
    try {
      await runNginxStory(cluster)
    } finally {
      await cluster.close()
    }
  })
})
