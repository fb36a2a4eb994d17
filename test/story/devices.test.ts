import { describeOnCluster } from '@kerf/control-plane/testing'
import { loadCatalogue } from '@kerf/provider-kwok'
import { SystemClock, SystemRandom } from '@kerf/runtime'
import { test } from 'vitest'
import { deviceCatalogue, tellDevicesStory } from './devices-story.ts'
import { realStory, startKerf } from './story-cluster.ts'

describeOnCluster('pods that claim devices, on a real control plane', (shared) => {
  test('get the machines that promise them', { timeout: 400_000 }, async () => {
    const cluster = await realStory(shared(), async (client) => {
      const { stop } = await startKerf(client, new SystemClock(), new SystemRandom(), {
        simulateKubelet: true,
        catalogue: await loadCatalogue(deviceCatalogue),
        settings: { ignoreDraRequests: false },
      })
      return stop
    })
    try {
      await tellDevicesStory(cluster)
    } finally {
      await cluster.close()
    }
  })
})
