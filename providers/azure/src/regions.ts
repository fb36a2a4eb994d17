import type { KubeObject } from '@kerf/apis'
import type { RegionEvidence } from '@kerf/provider-contract'
import { regionOfObjects as findRegion } from '@kerf/provider-kit'
import type { AKSNodeClass } from './node-class/aks-node-class.ts'

/** The locations whose prices come with Kerf. */
export const offlineLocations: readonly string[] = [
  'australiacentral',
  'australiacentral2',
  'australiaeast',
  'australiasoutheast',
  'austriaeast',
  'brazilsouth',
  'brazilsoutheast',
  'canadacentral',
  'canadaeast',
  'centralindia',
  'centralus',
  'chilecentral',
  'eastasia',
  'eastus',
  'eastus2',
  'francecentral',
  'francesouth',
  'germanynorth',
  'germanywestcentral',
  'indonesiacentral',
  'israelcentral',
  'italynorth',
  'japaneast',
  'japanwest',
  'jioindiacentral',
  'jioindiawest',
  'koreacentral',
  'koreasouth',
  'malaysiawest',
  'mexicocentral',
  'newzealandnorth',
  'northcentralus',
  'northeurope',
  'norwayeast',
  'norwaywest',
  'polandcentral',
  'qatarcentral',
  'southafricanorth',
  'southafricawest',
  'southcentralus',
  'southeastasia',
  'southindia',
  'spaincentral',
  'swedencentral',
  'swedensouth',
  'switzerlandnorth',
  'switzerlandwest',
  'uaecentral',
  'uaenorth',
  'uksouth',
  'ukwest',
  'westcentralus',
  'westeurope',
  'westindia',
  'westus',
  'westus2',
  'westus3',
]

/** The location if neither the user nor the cluster specifies one. */
export const USUAL_LOCATION = 'eastus'

const known = new Set(offlineLocations)

/** Returns the location in a zone such as `westeurope-1`, or the text itself if it is a location. Returns undefined for any other text. */
const locationIn = (text: string): string | undefined => {
  const name = text.toLowerCase().replace(/-[1-9]$/, '')
  return known.has(name) ? name : undefined
}

const isNodeClass = (object: KubeObject): object is AKSNodeClass => object.kind === 'AKSNodeClass'

/** Returns the location that a cluster's objects mention. Ignores node classes, because resource IDs contain no location. */
export const locationOfObjects = (objects: readonly KubeObject[]): RegionEvidence | undefined =>
  findRegion(objects, {
    regionIn: locationIn,
    classValues: (object) => (isNodeClass(object) ? [] : undefined),
  })
