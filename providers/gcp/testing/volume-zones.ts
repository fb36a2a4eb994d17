import type { Cloud, VolumeZones } from '../../../tests/integration/volumes/volume-zones.ts'
import { gceNodeClass } from '../src/testing/gce-node-class.ts'

const gcp: Cloud = {
  provider: 'gcp',
  region: 'europe-west4',
  nodeClass: gceNodeClass('default'),
  written: 'europe-west4-b',
  zone: 'europe-west4-b',
  type: 'n2-standard-4',
}

export const volumeZones: readonly VolumeZones[] = [{ cloud: gcp, key: 'topology.gke.io/zone' }]
