import { karpenterKinds } from '@kerf/apis'
import { isNotFound } from '@kerf/runtime'
import { nodeClaim } from '@kerf/testing'
import { beforeAll, describe, expect, test } from 'vitest'
import { gceNodeClassKind } from '../../node-class/gce-node-class.ts'
import { nodeClassHash } from '../../node-class/hash.ts'
import { loadSdk } from '../../testing/fake-gcp/connect.ts'
import { nodeClassCluster, SELECTED } from '../../testing/node-class-cluster.ts'

const MINUTE = 60_000
const LIST = 'compute.images.list'

beforeAll(loadSdk)

test('a class whose terms select images is Ready, with hash and finalizer', async () => {
  const { nodeClass, conditionText } = await nodeClassCluster()
  const { status, metadata } = await nodeClass()
  expect(await conditionText('Ready')).toMatch(/^True/)
  expect(await conditionText('ValidationSucceeded')).toMatch(/^True/)
  expect(status?.images).toEqual([
    {
      sourceImage: `projects/gke-node-images/global/images/${SELECTED}`,
      requirements: [
        { key: 'kubernetes.io/arch', operator: 'In', values: ['amd64'] },
        { key: 'karpenter.k8s.gcp/instance-gpu-count', operator: 'DoesNotExist' },
      ],
    },
  ])
  expect(metadata.finalizers).toEqual(['karpenter.k8s.gcp/termination'])
  expect(metadata.annotations).toMatchObject({
    'karpenter.k8s.gcp/gcenodeclass-hash': nodeClassHash(await nodeClass()),
    'karpenter.k8s.gcp/gcenodeclass-hash-version': 'v4',
  })
})

describe('images', () => {
  test('a newer image is selected within five minutes', async () => {
    const { gcp, clock, nodeClass } = await nodeClassCluster()
    const newer = SELECTED.replace('gke1396002', 'gke1400000')
    gcp.offer.images.push({ project: 'gke-node-images', name: newer, arch: 'X86_64', createdAt: MINUTE })
    await clock.advance(5 * MINUTE)
    expect((await nodeClass()).status?.images?.map(({ sourceImage }) => sourceImage.split('/').at(-1))).toEqual([newer])
  })

  test('a term that selects nothing keeps the earlier images, and is tried again within a minute', async () => {
    const { gcp, clock, edit, nodeClass, conditionText } = await nodeClassCluster()
    await edit({ imageSelectorTerms: [{ family: 'Ubuntu2404', version: 'latest' }] })
    expect(await conditionText('ImagesReady')).toBe(
      'False ImageResolutionFailed: there is no amd64 image ubuntu-gke-2404-1-35-* of the version latest in ubuntu-os-gke-cloud',
    )
    expect(await conditionText('Ready')).toMatch(/^False/)
    expect((await nodeClass()).status?.images).toHaveLength(1)
    for (const [index, arch] of (['amd64', 'arm64'] as const).entries()) {
      const name = `ubuntu-gke-2404-1-35-${arch}-v20260401`
      gcp.offer.images.push({ project: 'ubuntu-os-gke-cloud', name, arch: 'X86_64', createdAt: index })
    }
    await clock.advance(MINUTE)
    expect(await conditionText('Ready')).toMatch(/^True/)
  })

  test('if an image is gone, the class has no images, and Kerf searches again within five minutes', async () => {
    const { gcp, clock, edit, nodeClass, conditionText } = await nodeClassCluster()
    await edit({ imageSelectorTerms: [{ id: 'projects/gke-node-images/global/images/mine' }] })
    expect(await conditionText('ImagesReady')).toMatch(/^False ImagesNotFound: /)
    expect((await nodeClass()).status?.images).toBeUndefined()
    gcp.offer.images.push({ project: 'gke-node-images', name: 'mine', arch: 'ARM64', createdAt: 0 })
    await clock.advance(5 * MINUTE)
    expect(await conditionText('ImagesReady')).toMatch(/^True/)
  })
})

describe('calls that fail', () => {
  test.each([
    [{ code: 'authError', status: 401 }, 'CredentialsRefused', 'workload identity'],
    [{ code: 'forbidden', status: 403 }, 'PermissionDenied', 'Grant the permission'],
    [{ code: 'accessNotConfigured', status: 403 }, 'ApiDisabled', 'gcloud services enable'],
    [{ code: 'notFound', status: 404 }, 'ResourceNotFound', 'PROJECT_ID'],
    [{ code: 'backendError', status: 503 }, 'GoogleCloudUnavailable', 'tries again'],
  ])('%j of a new class: Unknown %s', async (fault, reason, remedy) => {
    const { gcp, clock, client, conditionText } = await nodeClassCluster()
    gcp.faults.standing(LIST, fault)
    // The change creates a new generation. Kerf has resolved nothing for it yet.
    const body = { spec: { autoGPUTaint: true } }
    await client.patch(gceNodeClassKind, { name: 'default' }, { type: 'merge', body })
    await clock.advance(2_000)
    const text = await conditionText('ImagesReady')
    expect(text.startsWith(`Unknown ${reason}: `), text).toBe(true)
    expect(text).toContain(remedy)
    gcp.faults.recover()
    await clock.advance(2 * MINUTE)
    expect(await conditionText('Ready')).toMatch(/^True/)
  })

  test('a Ready class stays Ready and keeps its resolved values', async () => {
    const { gcp, clock, conditionText } = await nodeClassCluster()
    gcp.faults.standing(LIST, { code: 'forbidden', status: 403 })
    await clock.advance(6 * MINUTE)
    expect(await conditionText('Ready')).toMatch(/^True/)
    expect(await conditionText('ImagesReady')).toContain('continuing with the previous result')
  })

  test('throttling changes nothing', async () => {
    const { gcp, clock, conditionText } = await nodeClassCluster()
    gcp.faults.standing(LIST, { code: 'rateLimitExceeded', status: 403 })
    await clock.advance(6 * MINUTE)
    expect(await conditionText('ImagesReady')).not.toContain('what was found before')
  })
})

test('values that Compute Engine refuses make the class not Ready, with every problem', async () => {
  const boot = { boot: true } as const
  const { edit, conditionText } = await nodeClassCluster({ labels: { Team: 'a' }, disks: [boot, boot] })
  const text = await conditionText('ValidationSucceeded')
  expect(text).toMatch(/^False InvalidLabels: spec\.labels/)
  expect(text).toContain('spec.disks')
  expect(await conditionText('Ready')).toMatch(/^False/)
  await edit({ disks: [boot] })
  expect(await conditionText('ValidationSucceeded')).not.toContain('spec.disks')
})

test('a deleted class waits for its NodeClaims, not for those of another kind with the same class name', async () => {
  const { client, clock, nodeClass } = await nodeClassCluster()
  const ref = (kind: string, group: string) => ({ name: 'default', kind, group })
  await client.create(
    karpenterKinds.NodeClaim,
    nodeClaim('own', { spec: { nodeClassRef: ref('GCENodeClass', 'karpenter.k8s.gcp') } }),
  )
  await client.create(
    karpenterKinds.NodeClaim,
    nodeClaim('other', { spec: { nodeClassRef: ref('OtherNodeClass', 'example.com') } }),
  )
  await clock.advance(500)
  await client.delete(gceNodeClassKind, { name: 'default' })
  await clock.advance(1_000)
  expect((await nodeClass()).metadata.deletionTimestamp).toBeDefined()
  await client.delete(karpenterKinds.NodeClaim, { name: 'own' })
  await clock.advance(1_000)
  await expect(nodeClass()).rejects.toSatisfy(isNotFound)
})
