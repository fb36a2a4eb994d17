import { describeWithCustomResources } from '@kerf/control-plane/testing'
import { SystemClock, SystemRandom } from '@kerf/runtime'
import { describe, test } from 'vitest'
import { runRecordStory } from './record-story.ts'
import { realStory, sandboxStory, startKerf } from './story-cluster.ts'

describe('a recording of the sandbox', () => {
  test('contains the events but no secrets, and can be replayed', async () => {
    const cluster = await sandboxStory(1)
    try {
      await runRecordStory(cluster)
    } finally {
      await cluster.close()
    }
  })
})

describeWithCustomResources('a recording of a real control plane', (shared) => {
  test('contains the events but no secrets, and can be replayed', async () => {
    const cluster = await realStory(shared(), async (client) => {
      const { stop } = await startKerf(client, new SystemClock(), new SystemRandom(), { simulateKubelet: true })
      return stop
    })
    try {
      await runRecordStory(cluster)
    } finally {
      await cluster.close()
    }
  })
})
