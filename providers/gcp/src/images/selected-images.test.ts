import { VirtualClock } from '@kerf/runtime'
import { beforeAll, describe, expect, test } from 'vitest'
import type { GCENodeClassSpec } from '../node-class/gce-node-class.ts'
import { fakeApi, loadSdk } from '../testing/fake-gcp/connect.ts'
import { FakeGcp } from '../testing/fake-gcp/fake-gcp.ts'
import type { FakeImage } from '../testing/fake-gcp/fake-offer.ts'
import { selectedImages } from './selected-images.ts'

const never = new AbortController().signal
const COS = 'gke-node-images'
const UBUNTU = 'ubuntu-os-gke-cloud'

beforeAll(loadSdk)

type Terms = GCENodeClassSpec['imageSelectorTerms']

const image = (project: string, name: string, day: number, more: Partial<FakeImage> = {}): FakeImage => ({
  ...{ project, name, createdAt: Date.UTC(2026, 9, day) },
  ...{ arch: name.includes('arm64') ? 'ARM64' : 'X86_64' },
  ...more,
})

const OLD = 'gke-1351-gke1390000-cos-125-19216-104-126-c-pre'
const NEW = 'gke-1351-gke1396002-cos-125-19216-220-12-c-pre'
const variants = (name: string): readonly string[] => [
  name,
  name.replace('-cos-', '-cos-arm64-'),
  name.replace('-pre', '-nvda'),
]

const images: readonly FakeImage[] = [
  ...variants(OLD).map((name) => image(COS, name, 1)),
  ...variants(NEW).map((name) => image(COS, name, 9)),
  image(COS, 'gke-1351-gke1399000-cos-125-19216-300-1-c-pre', 20, { deprecated: 'OBSOLETE' }),
  image(COS, 'gke-1351-gke1399001-cos-125-19216-300-2-cgpv1-pre', 21),
  image(COS, 'gke-1346-gke1068000-cos-121-18867-1-2-c-pre', 3),
  image(COS, 'gke-1361-gke1000000-cos-129-1-1-1-c-pre', 25),
  image(UBUNTU, 'ubuntu-gke-2404-1-35-amd64-v20260401', 1),
  image(UBUNTU, 'ubuntu-gke-2404-1-35-amd64-v20260416a', 16),
  image(UBUNTU, 'ubuntu-gke-2404-1-35-arm64-v20260401', 1),
  image(UBUNTU, 'ubuntu-gke-2404-1-35-amd64-v20260420-tpu', 20),
  image(UBUNTU, 'ubuntu-gke-2204-1-35-v20260401', 1),
  image(UBUNTU, 'ubuntu-gke-2204-1-35-arm64-v20260401', 1),
]

const setUp = (version = 'v1.35.1') => {
  const gcp = new FakeGcp(new VirtualClock())
  gcp.offer.images.push(...images)
  const sources = { ...fakeApi(gcp), kubernetesVersion: async () => version }
  const select = async (...terms: Terms): Promise<readonly string[]> =>
    (await selectedImages(terms, sources, never)).map(({ sourceImage, requirements }) => {
      const wanted = requirements.map(({ operator, values = [] }) => values[0] ?? operator).join(' ')
      return `${sourceImage.split('/').at(-1)}: ${wanted}`
    })
  return { gcp, select }
}

const withRequirements = (name: string): readonly string[] => {
  const [amd = '', arm = '', gpu = ''] = variants(name)
  return [`${amd}: amd64 DoesNotExist`, `${arm}: arm64 DoesNotExist`, `${gpu}: amd64 Exists`]
}

describe('Container-Optimized OS', () => {
  test('latest is the newest regular image for the version of Kubernetes, with its variants', async () => {
    const { select } = setUp()
    expect(await select({ family: 'ContainerOptimizedOS', version: 'latest' })).toEqual(withRequirements(NEW))
    expect(await select({ alias: 'ContainerOptimizedOS@latest' })).toEqual(withRequirements(NEW))
  })

  test('a pinned version is found in an older build', async () => {
    const { select } = setUp()
    expect(await select({ family: 'ContainerOptimizedOS', version: '125.19216.104.126' })).toEqual(
      withRequirements(OLD),
    )
    await expect(select({ family: 'ContainerOptimizedOS', version: '1.2.3.4' })).rejects.toThrow('1.2.3.4')
  })

  test('variants that do not exist are left out', async () => {
    const { gcp, select } = setUp()
    gcp.offer.images.splice(0, gcp.offer.images.length, image(COS, NEW, 1))
    expect(await select({ alias: 'ContainerOptimizedOS@latest' })).toEqual([`${NEW}: amd64 DoesNotExist`])
  })

  test('if no image exists for the version of Kubernetes, the message states what Kerf searched for', async () => {
    const { select } = setUp('v1.33.9')
    await expect(select({ alias: 'ContainerOptimizedOS@latest' })).rejects.toThrow('gke-1339-*')
  })

  test('a version of Kubernetes that cannot be parsed selects the newest image of all', async () => {
    const { select } = setUp('unknown')
    expect(await select({ alias: 'ContainerOptimizedOS@latest' })).toEqual([
      'gke-1361-gke1000000-cos-129-1-1-1-c-pre: amd64 DoesNotExist',
    ])
  })
})

describe('release channels', () => {
  const channel = (name: NonNullable<Terms[number]['channel']>) =>
    ({ family: 'ContainerOptimizedOS', channel: name }) as const

  test('the default version of a channel, if it is of the cluster’s minor version', async () => {
    const { select } = setUp()
    expect(await select(channel('regular'))).toEqual(withRequirements(NEW))
    expect(await select(channel('cluster'))).toEqual(withRequirements(NEW))
  })

  test('otherwise its newest valid version of the minor version', async () => {
    const { gcp, select } = setUp('v1.34.2')
    expect(await select(channel('regular'))).toEqual([
      'gke-1346-gke1068000-cos-121-18867-1-2-c-pre: amd64 DoesNotExist',
    ])
    gcp.gke.channels = [
      {
        channel: 'REGULAR',
        defaultVersion: '1.35.1-gke.1',
        validVersions: ['1.34.6-gke.9', '1.34.6-gke.1068000', '1.34.5-gke.2000000'],
      },
    ]
    expect(await select(channel('regular'))).toEqual([
      'gke-1346-gke1068000-cos-121-18867-1-2-c-pre: amd64 DoesNotExist',
    ])
  })

  test('the message names the missing version, channel or image', async () => {
    const { gcp, select } = setUp()
    await expect(select(channel('stable'))).rejects.toThrow('the release channel stable has no version')
    await expect(select(channel('extended'))).rejects.toThrow('no release channel extended')
    gcp.gke.releaseChannel = 'UNSPECIFIED'
    await expect(select(channel('cluster'))).rejects.toThrow('the cluster is in no release channel')
    gcp.gke.channels = [{ channel: 'RAPID', defaultVersion: '1.35.9-gke.1', validVersions: [] }]
    await expect(select(channel('rapid'))).rejects.toThrow('1.35.9-gke.1')
  })
})

describe('Ubuntu', () => {
  test('the newest regular image of each architecture', async () => {
    const { select } = setUp()
    const expected = [
      'ubuntu-gke-2404-1-35-amd64-v20260416a: amd64',
      'ubuntu-gke-2404-1-35-arm64-v20260401: arm64 DoesNotExist',
    ]
    expect(await select({ family: 'Ubuntu2404', version: 'latest' })).toEqual(expected)
    expect(await select({ alias: 'Ubuntu@latest' })).toEqual(expected)
    expect(await select({ family: 'Ubuntu2204', version: 'latest' })).toEqual([
      'ubuntu-gke-2204-1-35-v20260401: amd64',
      'ubuntu-gke-2204-1-35-arm64-v20260401: arm64 DoesNotExist',
    ])
  })

  test('a date must exist for both architectures, and does not match a date with a letter', async () => {
    const { select } = setUp()
    expect(await select({ family: 'Ubuntu2404', version: 'v20260401' })).toHaveLength(2)
    await expect(select({ family: 'Ubuntu2404', version: 'v20260416' })).rejects.toThrow('no amd64 image')
    await expect(select({ family: 'Ubuntu2404', version: 'v20260420' })).rejects.toThrow('no amd64 image')
  })
})

describe('ids', () => {
  test('the architecture comes from the image, and a deprecated image is used', async () => {
    const { gcp, select } = setUp()
    gcp.offer.images.push(image(COS, 'old', 1, { arch: undefined, deprecated: 'DEPRECATED' }))
    expect(await select({ id: `projects/${COS}/global/images/old` })).toEqual(['old: amd64'])
    expect(await select({ id: `projects/${COS}/global/images/${variants(NEW)[1]}` })).toEqual([
      `${variants(NEW)[1]}: arm64`,
    ])
  })

  test('an image that does not exist selects nothing, and an ID in another form is an error', async () => {
    const { select } = setUp()
    expect(await select({ id: `projects/${COS}/global/images/none` })).toEqual([])
    for (const id of ['none', 'global/images/none', `projects/${COS}/global/images/family/cos`])
      await expect(select({ id })).rejects.toThrow('projects/PROJECT/global/images/NAME')
  })
})

test('the images follow the order of the terms', async () => {
  const { select } = setUp()
  const names = await select({ alias: 'Ubuntu@latest' }, { id: `projects/${COS}/global/images/${OLD}` })
  expect(names.at(-1)).toBe(`${OLD}: amd64`)
  expect(names).toHaveLength(3)
})
