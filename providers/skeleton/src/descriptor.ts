import { karpenterKinds, noVocabulary } from '@kerf/apis'
import { declareEvents, type ProviderDescriptor } from '@kerf/provider-contract'
import { garbageCollectionPermissions } from '@kerf/provider-kit'
import { may, mirrors } from '@kerf/runtime'
import { skeletonNodeClass } from './skeleton-node-class.ts'

/** What the rest of Kerf uses of the provider. It imports no SDK: `create` loads large dependencies. */
export const skeletonDescriptor: ProviderDescriptor = {
  name: 'skeleton',
  title: 'skeleton',
  nodeClasses: [
    {
      resource: skeletonNodeClass,
      conditions: { dependents: [] },
      conditionMeanings: {},
      selectors: [],
      example: {
        apiVersion: 'skeleton.kerf.sh/v1',
        kind: 'SkeletonNodeClass',
        metadata: { name: 'default' },
        ...{ spec: { image: 'linux' } },
      },
    },
  ],
  settings: () => ({}),
  labels: noVocabulary,
  events: declareEvents({}),
  metrics: async () => [],
  permissions: [
    ...garbageCollectionPermissions,
    may(['get', 'list', 'watch'], skeletonNodeClass.kind, 'what instances are made from'),
    mirrors(karpenterKinds.NodeClaim, 'which instances are wanted'),
  ],
  capabilities: {
    capacityTypes: ['on-demand'],
    interruptionNotices: false,
    prices: 'declared',
    devices: false,
    tagsAtLaunch: true,
  },
  chart: { hasCrds: true, manifestValues: ['settings.provider=skeleton'], roleSuffixes: {} },
  create: async () => {
    throw new Error(
      'the skeleton has no calls to a cloud yet: make them on its SDK, and hand them to the provider here',
    )
  },
}
