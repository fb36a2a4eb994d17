import { describeOnCluster } from '@kerf/control-plane/testing'
import { SystemClock, SystemRandom } from '@kerf/runtime'
import { describe, test } from 'vitest'
import { tellDriftStory } from './drift-story.ts'
import { realStory, sandboxStory, startKerf } from './story-cluster.ts'

describe('a NodePool that changes, in the sandbox', () => {
  test.each([1, 2, 3])('has its nodes replaced once a PodDisruptionBudget lets it (seed %i)', async (seed) => {
    const cluster = await sandboxStory(seed)
    try {
      await tellDriftStory(cluster)
    } finally {
      await cluster.close()
    }
  })
})

describeOnCluster('a NodePool that changes, on a real control plane', (shared) => {
  test('has its nodes replaced once a PodDisruptionBudget lets it', { timeout: 400_000 }, async () => {
    const cluster = await realStory(shared(), async (client) => {
      const { stop } = await startKerf(client, new SystemClock(), new SystemRandom(), { simulateKubelet: true })
      return stop
    })
    try {
      await tellDriftStory(cluster)
    } finally {
      await cluster.close()
    }
  })
})
