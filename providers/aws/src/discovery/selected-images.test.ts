import { labels } from '@kerf/apis'
import { RecordingLogger, VirtualClock } from '@kerf/runtime'
import { expect, test, vi } from 'vitest'
import { nodeClassSpec } from '../testing/aws-harness.ts'
import { ec2NodeClass } from '../testing/ec2-node-class.ts'
import { FakeEc2 } from '../testing/fake-aws/fake-ec2.ts'
import { FakeSsm } from '../testing/fake-aws/fake-services.ts'
import { is } from '../testing/offered-type.ts'
import { Images, imageFor, imagesOfAlias, nodeClassImages, UnsupportedAliasError } from './images.ts'
import { SsmParameters } from './ssm-parameters.ts'

// See `providers/aws/docs/spec/aws.md#images`, "Other terms" and the sections after it.

const never = new AbortController().signal
type Terms = (typeof nodeClassSpec)['amiSelectorTerms']

const harness = () => {
  const clock = new VirtualClock()
  const ec2 = new FakeEc2(clock, { terminationDelay: 0 })
  const ssm = new FakeSsm('1.36', ec2.requests)
  const images = new Images(
    { ec2, parameters: new SsmParameters(ssm, clock), clock, log: new RecordingLogger() },
    { refreshInterval: 60_000 },
  )
  let generation = 0
  const find = (terms: Terms, version = '1.36', fixed?: number) =>
    images.find(
      ec2NodeClass('default', {
        spec: { ...nodeClassSpec, amiSelectorTerms: terms },
        metadata: { uid: 'u', generation: fixed ?? ++generation },
      }),
      version,
      never,
    )
  return { clock, ec2, ssm, images, find }
}
const image = (id: string, more: object = {}) => ({
  ImageId: id,
  Name: `name-${id}`,
  Architecture: 'x86_64' as const,
  State: 'available' as const,
  CreationDate: '2026-02-01T00:00:00.000Z',
  Tags: [{ Key: 'team', Value: 'a' }],
  ...more,
})

test('IDs and parameters share one request; a name is requested from this account and Amazon, or from the given owner', async () => {
  const { ec2, ssm, find } = harness()
  ssm.parameters.set('/mine', 'ami-4')
  const query = vi.spyOn(ec2, 'describeImages')
  await find([
    { name: 'a*' },
    { id: 'ami-1' },
    { ssmParameter: '/mine' },
    { name: 'b', owner: '123456789012', tags: { team: '*' } },
    { tags: { team: 'a' } },
    { tags: { team: 'a' }, owner: 'self' },
  ])
  const available = { Name: 'state', Values: ['available'] }
  expect(query.mock.calls.map(([asked]) => asked)).toEqual([
    { filters: [{ Name: 'image-id', Values: ['ami-1', 'ami-4'] }, available] },
    { filters: [{ Name: 'name', Values: ['a*'] }, available], owners: ['self', 'amazon'] },
    {
      filters: [{ Name: 'name', Values: ['b'] }, { Name: 'tag-key', Values: ['team'] }, available],
      owners: ['123456789012'],
    },
    { filters: [{ Name: 'tag:team', Values: ['a'] }, available] },
    { filters: [{ Name: 'tag:team', Values: ['a'] }, available], owners: ['self'] },
  ])
})

test('an image has its name and requirements; an image of an unsupported architecture is left out', async () => {
  const { clock, ec2, find } = harness()
  ec2.images = [
    image('ami-1'),
    image('ami-2', { Architecture: 'i386' }),
    image('ami-3', { Architecture: undefined }),
    image('ami-4', { Architecture: 'arm64', Name: undefined }),
    { ...image('ami-5'), ImageId: undefined },
  ]
  expect(await find([{ tags: { team: 'a' } }])).toEqual([
    { id: 'ami-1', name: 'name-ami-1', requirements: [is(labels.arch, 'amd64')] },
    { id: 'ami-4', requirements: [is(labels.arch, 'arm64')] },
  ])
  ec2.images = [image('ami-1', { DeprecationTime: new Date(clock.now()).toISOString() })]
  expect(await find([{ id: 'ami-1' }])).toMatchObject([{ deprecated: true }])
  ec2.images = [image('ami-1', { DeprecationTime: new Date(clock.now() + 1).toISOString() })]
  expect((await find([{ id: 'ami-1' }]))[0]).not.toHaveProperty('deprecated')
})

const day = (date: number) => ({ CreationDate: `2026-02-0${date}T00:00:00.000Z` })
const OLD = { DeprecationTime: '2000-01-01T00:00:00.000Z' }
test.each<[string, ReturnType<typeof image>[], string]>([
  ['the newer', [image('ami-1', day(2)), image('ami-2', day(1))], 'ami-1'],
  ['the newer, wherever it stands', [image('ami-1', day(1)), image('ami-2', day(2))], 'ami-2'],
  [
    'one that is not deprecated, though older',
    [image('ami-1', { ...day(2), ...OLD }), image('ami-2', day(1))],
    'ami-2',
  ],
  [
    'one that is not deprecated, though it comes first',
    [image('ami-1', day(1)), image('ami-2', { ...day(2), ...OLD })],
    'ami-1',
  ],
  ['of the same age the greater name', [image('ami-1', { Name: 'b' }), image('ami-2', { Name: 'a' })], 'ami-1'],
  [
    'of the same age the greater name, wherever it stands',
    [image('ami-1', { Name: 'a' }), image('ami-2', { Name: 'b' })],
    'ami-2',
  ],
  ['one with a name', [image('ami-1', { Name: undefined }), image('ami-2')], 'ami-2'],
  ['the first of equal ones', [image('ami-1', { Name: 'a' }), image('ami-2', { Name: 'a' })], 'ami-1'],
])('of two images for the same instance types: %s', async (_what, images, expected) => {
  const { ec2, find } = harness()
  ec2.images = images
  expect((await find([{ tags: { team: 'a' } }])).map(({ id }) => id)).toEqual([expected])
})

test('the newest image comes first, and of two with the same age the one with the smaller ID', async () => {
  const { ec2, find } = harness()
  const arm = { Architecture: 'arm64' as const }
  const order = async (...images: ReturnType<typeof image>[]) => {
    ec2.images = images
    return (await find([{ tags: { team: 'a' } }])).map(({ id }) => id)
  }
  expect(await order(image('ami-1', day(1)), image('ami-2', { ...day(2), ...arm }))).toEqual(['ami-2', 'ami-1'])
  expect(await order(image('ami-1', day(2)), image('ami-2', { ...day(1), ...arm }))).toEqual(['ami-1', 'ami-2'])
  expect(await order(image('ami-2'), image('ami-1', arm))).toEqual(['ami-1', 'ami-2'])
  expect(await order(image('ami-1'), image('ami-2', arm))).toEqual(['ami-1', 'ami-2'])
})

test('an AL2 image for accelerators serves two kinds of instance types', async () => {
  const { ec2, ssm, find } = harness()
  ssm.parameters.set('/aws/service/eks/optimized-ami/1.32/amazon-linux-2-gpu/recommended/image_id', 'ami-1')
  ec2.images = [image('ami-1')]
  const found = await find([{ alias: 'al2@latest' }], '1.32')
  expect(found.map(({ id, requirements }) => [id, requirements.map(({ operator }) => operator)])).toEqual([
    ['ami-1', ['In', 'Exists']],
    ['ami-1', ['In', 'Exists']],
  ])
  await expect(find([{ alias: 'al2@latest' }], '1.33')).rejects.toThrow(UnsupportedAliasError)
})

test('results are cached by Kubernetes version until cleared; an empty result is not cached', async () => {
  const { clock, ec2, images, find } = harness()
  const asked = () => ec2.faults.count('describeImages')
  const term = [{ id: 'ami-x86' }]
  await find(term, '1.36', 99)
  await find(term, '1.36', 99)
  expect(asked()).toBe(1)
  await find(term, '1.37', 99)
  expect(asked()).toBe(2)
  images.clear()
  await find(term, '1.37', 99)
  expect(asked()).toBe(3)
  await clock.advance(60_000)
  ec2.images = []
  expect(await find(term, '1.37', 99)).toEqual([])
  expect(await find(term, '1.37', 99)).toEqual([])
  expect(asked()).toBe(5)
})

test('of the images in use, returns those that are deprecated or missing', async () => {
  const { clock, ec2, images } = harness()
  const at = (time: number) => ({ DeprecationTime: new Date(time).toISOString() })
  ec2.images = [
    image('ami-1'),
    image('ami-2', at(clock.now())),
    image('ami-3', at(clock.now() + 1)),
    image('ami-4', { State: 'failed' }),
  ]
  expect(await images.deprecated([], never)).toEqual(new Set())
  expect(ec2.faults.count('describeImages')).toBe(0)
  expect(await images.deprecated(['ami-1', 'ami-2', 'ami-3', 'ami-4', 'ami-5', 'ami-1'], never)).toEqual(
    new Set(['ami-2', 'ami-4', 'ami-5']),
  )
})

test('an instance type uses the first image of the status whose requirements match', () => {
  const amis = [
    { id: 'ami-1', requirements: [{ key: labels.arch, operator: 'In', values: ['arm64'] }] },
    { id: 'ami-2', name: 'x', requirements: [{ key: labels.arch, operator: 'In', values: ['amd64'] }] },
    {
      id: 'ami-3',
      requirements: [
        { key: labels.arch, operator: 'Exists' },
        { key: labels.arch, operator: 'Unheard', values: ['x'] },
      ],
    },
  ]
  const images = nodeClassImages({ status: { amis } })
  expect(images[2]?.requirements).toEqual([{ key: labels.arch, operator: 'Exists' }])
  const typeWithArch = (arch: string) => ({ requirements: [is(labels.arch, arch)] })
  expect(['arm64', 'amd64', 's390x'].map((arch) => imageFor(typeWithArch(arch), images)?.id)).toEqual([
    'ami-1',
    'ami-2',
    'ami-3',
  ])
  expect(imageFor(typeWithArch('s390x'), images.slice(0, 2))).toBeUndefined()
  expect(nodeClassImages({})).toEqual([])
})

test('images of the alias are recognised in the status by their names; without an alias there are none', () => {
  const names = ['amazon-eks-node-al2023-x86_64-standard-1.36-v1', 'bottlerocket-aws-k8s-1.36-x86_64-v1-1', undefined]
  const amis = names.map((name, index) => ({
    id: `ami-${index}`,
    requirements: [],
    ...(name === undefined ? {} : { name }),
  }))
  const ofAlias = (term: Terms[number]) =>
    imagesOfAlias({ spec: { ...nodeClassSpec, amiSelectorTerms: [term] }, status: { amis } }).map(({ id }) => id)
  expect(ofAlias({ alias: 'al2023@latest' })).toEqual(['ami-0'])
  expect(ofAlias({ alias: 'bottlerocket@latest' })).toEqual(['ami-1'])
  expect(ofAlias({ id: 'ami-0' })).toEqual([])
})
