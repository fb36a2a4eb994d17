import { type KubeObject, ownField } from '@kerf/apis'
import type { RegionEvidence } from '@kerf/provider-contract'
import { regionOfObjects as findRegion } from '@kerf/provider-kit'

/** The regions for which Kerf has built-in prices. */
export const offlineRegions: readonly string[] = [
  'africa-south1',
  'asia-east1',
  'asia-east2',
  'asia-northeast1',
  'asia-northeast2',
  'asia-northeast3',
  'asia-south1',
  'asia-south2',
  'asia-southeast1',
  'asia-southeast2',
  'asia-southeast3',
  'australia-southeast1',
  'australia-southeast2',
  'europe-central2',
  'europe-north1',
  'europe-north2',
  'europe-southwest1',
  'europe-west1',
  'europe-west10',
  'europe-west12',
  'europe-west2',
  'europe-west3',
  'europe-west4',
  'europe-west6',
  'europe-west8',
  'europe-west9',
  'me-central1',
  'me-central2',
  'me-west1',
  'northamerica-northeast1',
  'northamerica-northeast2',
  'northamerica-south1',
  'southamerica-east1',
  'southamerica-west1',
  'us-central1',
  'us-east1',
  'us-east4',
  'us-east5',
  'us-south1',
  'us-west1',
  'us-west2',
  'us-west3',
  'us-west4',
]

/** The region that Kerf assumes if neither the user nor the cluster specifies one. */
export const USUAL_REGION = 'us-central1'

const known = new Set(offlineRegions)

/**
 * Returns the region in a text, which may be a region, a zone such as `europe-west1-b`, or a path such as `regions/europe-west1/…`. Returns
 * undefined for any other text.
 */
const regionIn = (text: string): string | undefined => {
  const [, inPath] = /(?:^|\/)(?:regions|zones|locations)\/([^/]+)/.exec(text) ?? []
  const name = (inPath ?? text).replace(/-[a-z]$/, '')
  return known.has(name) ? name : undefined
}

/**
 * Returns the region that the objects of a cluster are in. In a node class, the subnetwork and the disks' encryption keys may contain the
 * region.
 */
export const regionOfObjects = (objects: readonly KubeObject[]): RegionEvidence | undefined =>
  findRegion(objects, {
    regionIn,
    classValues: (object) => {
      if (object.kind !== 'GCENodeClass') return undefined
      const spec = ownField(object, 'spec')
      return [ownField(spec, 'networkConfig'), ownField(spec, 'disks')]
    },
  })
