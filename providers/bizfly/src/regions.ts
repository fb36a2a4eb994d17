import { type KubeObject, ownField, ownValue } from '@kerf/apis'
import type { NodeRecognition, RegionEvidence } from '@kerf/provider-contract'
import { regionOfObjects as findRegion } from '@kerf/provider-kit'
import { providerId, serverIdIn } from './names.ts'

/** The zones of the regions for which `kerf plan` works. The keys are values of BIZFLY_CLOUD_REGION. */
export const offlineZones: Readonly<Record<string, readonly string[]>> = { HN: ['HN1', 'HN2'], HCM: ['HCM1'] }

/** The region of upstream's default setting. */
export const USUAL_REGION = 'HN'

const regionIn = (text: string): string | undefined => /^(HN|HCM)\d*$/.exec(text)?.[1]

/** Returns the region that the objects of a cluster are in. In a node class, the fields for the region and the zones contain it. */
export const regionOfObjects = (objects: readonly KubeObject[]): RegionEvidence | undefined =>
  findRegion(objects, {
    regionIn,
    classValues: (object) => {
      if (object.kind !== 'BizflyCloudNodeClass') return undefined
      const spec = ownField(object, 'spec')
      return [ownField(spec, 'region'), ownField(spec, 'zones')]
    },
  })

/** How Kerf recognises Bizfly Cloud's nodes. The labels of nodes in the engine's own pools are undocumented. */
export const recognisedNodes: NodeRecognition = {
  isProviderId: (providerID) => serverIdIn(providerID) !== undefined,
  exampleProviderId: providerId('11111111-2222-4333-8444-555555555555'),
  capacityTypeOf: (labels) => (ownValue(labels, 'karpenter.sh/capacity-type') === undefined ? undefined : 'on-demand'),
  groupOf: () => undefined,
}
