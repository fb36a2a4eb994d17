import type { Cloud, VolumeZones } from '../../../tests/integration/volumes/volume-zones.ts'
import { gceNodeClass } from '../src/testing/gce-node-class.ts'
import { story } from '../tests/gcp-story.ts'

const HERE = 'us-central1-b'

const gcp: Cloud = {
  provider: 'gcp',
  region: 'europe-west4',
  nodeClass: gceNodeClass('default'),
  written: 'europe-west4-b',
  zone: 'europe-west4-b',
  type: 'n2-standard-4',
  here: { written: HERE, zone: HERE },
  launches: async (prepare) => {
    const { client, pass, zones } = await story({ replicas: 0 })
    await prepare(client)
    await pass(60)
    return zones()
  },
}

export const volumeZones: readonly VolumeZones[] = [{ cloud: gcp, key: 'topology.gke.io/zone' }]
