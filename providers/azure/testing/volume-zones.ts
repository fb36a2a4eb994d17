import { LOCATION } from '@kerf/provider-azure/testing'
import { onTestFinished } from 'vitest'
import type { Cloud, VolumeZones } from '../../../tests/integration/volumes/volume-zones.ts'
import { aksNodeClass } from '../src/testing/aks-node-class.ts'
import { startFakeAzureStory } from '../tests/kerf-on-fake-azure.ts'

const azure: Cloud = {
  provider: 'azure',
  region: 'westeurope',
  nodeClass: aksNodeClass('default'),
  written: 'westeurope-2',
  zone: 'westeurope-2',
  type: 'Standard_D4s_v5',
  here: { written: `${LOCATION}-2`, zone: `${LOCATION}-2` },
  launches: async (prepare) => {
    const story = await startFakeAzureStory({ replicas: 0 })
    onTestFinished(() => story.close())
    await prepare(story.client)
    await story.pass(60)
    return story.vms().map(({ location, zones = [] }) => (zones.length === 0 ? '0' : `${location}-${zones[0]}`))
  },
}

export const volumeZones: readonly VolumeZones[] = [
  { cloud: azure, key: 'topology.disk.csi.azure.com/zone' },
  // A VM without zones, in the notation of the disk driver.
  {
    cloud: { ...azure, written: '', zone: '0', here: { written: '', zone: '0' } },
    key: 'topology.disk.csi.azure.com/zone',
  },
]
