import type { Condition, NodeClaim, Node as NodeObject } from '@kerf/apis'
import { NotKnownYetError } from '@kerf/provider-contract'
import { nodeClaim } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import { communityImageId, imageGallery, sharedImageId } from '../images/image-version.ts'
import type { AKSNodeClass } from '../node-class/aks-node-class.ts'
import { type DriftFacts, driftReason } from './drift-reason.ts'

const gallery = imageGallery('Ubuntu2204')
const IMAGE = communityImageId(gallery, '2204gen2containerd', '202602.02.0')
const SHARED = sharedImageId('2', gallery, '2204gen2containerd', '202602.02.0')
const HASH = 'karpenter.azure.com/aksnodeclass-hash'
const VERSION = 'karpenter.azure.com/aksnodeclass-hash-version'

const ready = (type: string, observedGeneration = 3): Condition => ({
  ...{ type, status: 'True', reason: type, message: '', lastTransitionTime: '2026-01-01T00:00:00Z' },
  observedGeneration,
})
const READY = [ready('KubernetesVersionReady'), ready('ImagesReady')]

const classOf = (status: AKSNodeClass['status'] = {}, hash = '1'): AKSNodeClass => ({
  ...{ apiVersion: 'karpenter.azure.com/v1beta1', kind: 'AKSNodeClass' },
  metadata: { name: 'default', generation: 3, annotations: { [HASH]: hash, [VERSION]: 'v3' } },
  status: { kubernetesVersion: '1.33.5', images: [{ id: IMAGE, requirements: [] }], conditions: READY, ...status },
})

const claimOf = (status: NonNullable<NodeClaim['status']> = {}): NodeClaim => {
  const claim = nodeClaim('a', { metadata: { annotations: { [HASH]: '1', [VERSION]: 'v3' } } })
  return { ...claim, status: { providerID: 'azure:///vm', imageID: IMAGE, ...status } }
}

const nodeOf = (kubeletVersion = 'v1.33.5', metadata: Partial<NodeObject['metadata']> = {}): NodeObject => ({
  ...{ apiVersion: 'v1', kind: 'Node', spec: {} },
  metadata: { name: 'aks-a', ...metadata },
  status: { nodeInfo: { kubeletVersion } },
})

const facts = (more: Partial<DriftFacts> = {}): DriftFacts => ({
  node: nodeOf(),
  kubeletIdentityClientID: 'me',
  ...more,
})
const deleted: readonly Partial<NodeObject['metadata']>[] = [
  {
    deletionTimestamp: '2026-01-01T00:00:00Z',
    labels: { 'kubernetes.azure.com/kubelet-identity-client-id': 'other' },
  },
]
const withIdentity = (id: string) =>
  nodeOf('v1.33.5', { labels: { 'kubernetes.azure.com/kubelet-identity-client-id': id } })

describe('a node drifts', () => {
  test.each<readonly [string, string | undefined, AKSNodeClass, NodeClaim, DriftFacts]>([
    ['as the class asks for', undefined, classOf(), claimOf(), facts()],
    ['of another class before', 'NodeClassDrift', classOf({}, '2'), claimOf(), facts({ node: nodeOf('v1.32.1') })],
    ['of an older kubelet', 'K8sVersionDrift', classOf(), claimOf(), facts({ node: nodeOf('v1.33.4') })],
    ['that is not there yet', undefined, classOf(), claimOf(), facts({ node: undefined })],
    [
      'that is being deleted',
      undefined,
      classOf(),
      claimOf(),
      facts({ node: nodeOf('v1.30.0', { deletionTimestamp: '2026-01-01T00:00:00Z' }) }),
    ],
    ['that has not said its version', undefined, classOf(), claimOf(), facts({ node: nodeOf('') })],
    [
      'while the version is that of an older class',
      undefined,
      classOf({ conditions: [ready('KubernetesVersionReady', 2), ready('ImagesReady')] }),
      claimOf(),
      facts({ node: nodeOf('v1.30.0') }),
    ],
    ['of another identity', 'KubeletIdentityDrift', classOf(), claimOf(), facts({ node: withIdentity('other') })],
    ['of its own identity', undefined, classOf(), claimOf(), facts({ node: withIdentity('me') })],
    ['of its own identity in other letters', undefined, classOf(), claimOf(), facts({ node: withIdentity('ME') })],
    [
      'while the settings do not say the identity',
      undefined,
      classOf(),
      claimOf(),
      facts({ node: withIdentity('other'), kubeletIdentityClientID: '' }),
    ],
    ...deleted.map(
      (metadata) =>
        [
          'that is being deleted, with another identity and image, of another class before',
          undefined,
          classOf({}, '2'),
          claimOf({ imageID: `${IMAGE}1` }),
          facts({ node: nodeOf('v1.33.5', metadata) }),
        ] as const,
    ),
    [
      'of a claim that is being deleted',
      undefined,
      classOf({}, '2'),
      { ...claimOf(), metadata: { ...claimOf().metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } },
      facts(),
    ],
    ['of an older image', 'ImageDrift', classOf(), claimOf({ imageID: `${IMAGE}1` }), facts()],
    ['of the image in other letters', undefined, classOf(), claimOf({ imageID: IMAGE.toUpperCase() }), facts()],
    [
      'of another image while images are not known',
      undefined,
      classOf({ conditions: [ready('KubernetesVersionReady')] }),
      claimOf({ imageID: 'other' }),
      facts(),
    ],
    [
      'that is a machine of an older image',
      'ImageDrift',
      classOf({ images: [{ id: SHARED, requirements: [] }] }),
      claimOf({ imageID: '' }),
      facts({ machine: { nodeImageVersion: 'AKSUbuntu-2204gen2containerd-202601.01.0' }, node: withIdentity('other') }),
    ],
    [
      'that is a machine, and only community images are known',
      undefined,
      classOf(),
      claimOf(),
      facts({ machine: { nodeImageVersion: 'AKSUbuntu-2204gen2containerd-202601.01.0' } }),
    ],
    [
      'that is a machine which AKS would change',
      'ClusterConfigDrift',
      classOf({ images: [{ id: SHARED, requirements: [] }] }),
      claimOf(),
      facts({ machine: { nodeImageVersion: 'AKSUbuntu-2204gen2containerd-202602.02.0', driftAction: 'Recreate' } }),
    ],
    [
      'that is a machine in sync',
      undefined,
      classOf({ images: [{ id: SHARED, requirements: [] }] }),
      claimOf(),
      facts({ machine: { nodeImageVersion: 'aksubuntu-2204gen2containerd-202602.02.0', driftAction: 'Synced' } }),
    ],
  ])('%s: %s', (_name, reason, nodeClass, claim, known) => {
    expect(driftReason(claim, nodeClass, known)).toBe(reason)
  })
})

test('a node that was created without an identity setting does not drift when the setting is added', () => {
  expect(driftReason(claimOf(), classOf(), facts({ node: withIdentity('') }))).toBeUndefined()
  expect(driftReason(claimOf(), classOf(), facts())).toBeUndefined()
})

test.each([
  ['no instance', classOf(), claimOf({ providerID: '' }), facts()],
  ['no image of the claim', classOf(), claimOf({ imageID: '' }), facts()],
  ['no images of the class', classOf({ images: [] }), claimOf(), facts()],
  ['no image of the machine', classOf(), claimOf(), facts({ machine: {} })],
] as const)('%s: drift is unknown', (_name, nodeClass, claim, known) => {
  expect(() => driftReason(claim, nodeClass, known)).toThrow(NotKnownYetError)
})
