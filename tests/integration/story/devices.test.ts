import { describeWithCustomResources } from '@kerf/control-plane/testing'
import { loadInstanceTypes } from '@kerf/provider-kwok'
import { SystemClock, SystemRandom } from '@kerf/runtime'
import { describe, test } from 'vitest'
import { deviceInstanceTypes, runDevicesStory } from './devices-story.ts'
import { realStory, sandboxStory, startKerf } from './story-cluster.ts'

const settings = { ignoreDraRequests: false }

describe('pods that claim devices, in the sandbox', () => {
  test.each([1, 2, 3])('get nodes of instance types that have them (seed %i)', async (seed) => {
    const cluster = await sandboxStory(seed, { catalogue: await loadInstanceTypes(deviceInstanceTypes), settings })
    try {
      await runDevicesStory(cluster)
    } finally {
      await cluster.close()
    }
  })
})

describeWithCustomResources('pods that claim devices, on a real control plane', (shared) => {
  test('get nodes of instance types that have them', async () => {
    const catalogue = await loadInstanceTypes(deviceInstanceTypes)
    const cluster = await realStory(shared(), async (client) => {
      const options = { simulateKubelet: true, catalogue, settings }
      const { stop } = await startKerf(client, new SystemClock(), new SystemRandom(), options)
      return stop
    })
    try {
      await runDevicesStory(cluster)
    } finally {
      await cluster.close()
    }
  })
})
