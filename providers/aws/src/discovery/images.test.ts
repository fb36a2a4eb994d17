import { labels } from '@kerf/apis'
import { RecordingLogger, VirtualClock } from '@kerf/runtime'
import { describe, expect, test } from 'vitest'
import { awsLabels } from '../label-names.ts'
import type { EC2NodeClass } from '../node-class/ec2-node-class.ts'
import { nodeClassSpec } from '../testing/aws-harness.ts'
import { ec2NodeClass } from '../testing/ec2-node-class.ts'
import { FakeEc2 } from '../testing/fake-aws/fake-ec2.ts'
import { FakeSsm } from '../testing/fake-aws/fake-services.ts'
import { aliasParameters, isNameOfAlias, unsupportedAlias } from './image-alias.ts'
import { AliasWithoutImagesError, Images } from './images.ts'
import { SsmParameters } from './ssm-parameters.ts'

const never = new AbortController().signal

describe('the parameters of an alias', () => {
  test.each([
    ['AL2', 'latest', '1.32', 'eks/optimized-ami/1.32/amazon-linux-2/recommended/image_id', 3],
    ['AL2', 'v20240807', '1.30', 'eks/optimized-ami/1.30/amazon-linux-2/amazon-eks-node-1.30-v20240807/image_id', 3],
    ['AL2023', 'latest', '1.34', 'eks/optimized-ami/1.34/amazon-linux-2023/x86_64/standard/recommended/image_id', 5],
    [
      'AL2023',
      'v20250101',
      '1.34',
      'eks/optimized-ami/1.34/amazon-linux-2023/x86_64/standard/amazon-eks-node-al2023-x86_64-standard-1.34-v20250101/image_id',
      5,
    ],
    ['Bottlerocket', 'latest', '1.34', 'bottlerocket/aws-k8s-1.34/x86_64/latest/image_id', 4],
    ['Bottlerocket', 'v1.20.4', '1.34', 'bottlerocket/aws-k8s-1.34/x86_64/1.20.4/image_id', 4],
    [
      'Windows2022',
      'latest',
      '1.34',
      'ami-windows-latest/Windows_Server-2022-English-Core-EKS_Optimized-1.34/image_id',
      1,
    ],
  ] as const)('%s@%s on %s', (family, version, kubernetes, first, count) => {
    const parameters = aliasParameters({ family, version }, kubernetes)
    expect(parameters[0]?.name).toBe(`/aws/service/${first}`)
    expect(parameters).toHaveLength(count)
  })

  test.each([
    ['AL2', '1.32', false],
    ['AL2', '1.33', true],
    ['AL2023', '1.36', false],
    ['Windows2025', '1.34', true],
    ['Windows2025', '1.35', false],
  ] as const)('%s on %s is refused: %s', (family, kubernetes, refused) => {
    expect(unsupportedAlias({ family, version: 'latest' }, kubernetes) !== undefined).toBe(refused)
  })
})

const harness = () => {
  const clock = new VirtualClock()
  const ec2 = new FakeEc2(clock, { terminationDelay: 0 })
  const ssm = new FakeSsm('1.36', ec2.requests)
  const log = new RecordingLogger()
  const images = new Images({ ec2, parameters: new SsmParameters(ssm, clock), clock, log }, { refreshInterval: 60_000 })
  const find = (
    terms: (typeof nodeClassSpec)['amiSelectorTerms'],
    generation = 1,
    amis: NonNullable<EC2NodeClass['status']>['amis'] = [],
  ) =>
    images.find(
      ec2NodeClass('default', {
        spec: { ...nodeClassSpec, amiSelectorTerms: terms },
        status: { amis },
        metadata: { uid: 'u', generation },
      }),
      '1.36',
      never,
    )
  return { clock, ec2, ssm, log, find }
}

const image = (id: string, day: number, extra: object = {}) => ({
  ImageId: id,
  Name: `name-${id}`,
  Architecture: 'x86_64' as const,
  State: 'available' as const,
  CreationDate: `2026-02-0${day}T00:00:00.000Z`,
  ...extra,
})

test('an alias leads to one image for each kind of instance type, and unpublished images are left out', async () => {
  const { find } = harness()
  const found = await find([{ alias: 'al2023@latest' }])
  expect(found.map(({ id }) => id)).toEqual(['ami-arm', 'ami-gpu', 'ami-x86'])
  expect(found.find(({ id }) => id === 'ami-gpu')?.requirements).toEqual([
    { key: labels.arch, operator: 'In', values: ['amd64'] },
    { key: awsLabels.gpuCount, operator: 'Exists' },
  ])
})

test('of several images for the same instance types, the newest that is not deprecated is used', async () => {
  const { clock, ec2, find } = harness()
  const past = new Date(clock.now() - 1_000).toISOString()
  ec2.images = [image('ami-1', 1), image('ami-3', 3, { DeprecationTime: past }), image('ami-2', 2)]
  expect(await find([{ name: 'name-*' }])).toMatchObject([{ id: 'ami-2' }])
  ec2.images = ec2.images.map((each) => ({ ...each, DeprecationTime: past }))
  expect(await find([{ name: 'name-*' }], 2)).toMatchObject([{ id: 'ami-3', deprecated: true }])
})

test('ids, names, tags and parameters are alternatives', async () => {
  const { ec2, ssm, find } = harness()
  ec2.images = [
    image('ami-1', 1),
    image('ami-2', 2, { Architecture: 'arm64' }),
    image('ami-3', 3, { Tags: [{ Key: 'team', Value: 'a' }] }),
    image('ami-4', 4),
  ]
  ssm.parameters.set('/mine', 'ami-4')
  expect(await find([{ id: 'ami-1' }, { id: 'ami-2' }])).toMatchObject([{ id: 'ami-2' }, { id: 'ami-1' }])
  expect(await find([{ tags: { team: '*' } }], 2)).toMatchObject([{ id: 'ami-3' }])
  expect(await find([{ ssmParameter: '/mine' }], 3)).toMatchObject([{ id: 'ami-4' }])
})

test('a parameter that is missing or contains no image is logged and skipped; a refusal is an error', async () => {
  const { ssm, log, find } = harness()
  ssm.parameters.set('/odd', 'not an image')
  expect(await find([{ ssmParameter: '/none' }, { ssmParameter: '/odd' }, { id: 'ami-x86' }])).toMatchObject([
    { id: 'ami-x86' },
  ])
  expect(log.lines.map(({ message }) => message)).toEqual([
    'the SSM parameter of an image does not exist',
    'the SSM parameter does not contain an image ID',
  ])
  ssm.faults.standing('getParameter', { code: 'AccessDeniedException', status: 400 })
  await expect(find([{ ssmParameter: '/other' }], 2)).rejects.toThrow()
  await expect(find([{ alias: 'al2023@latest' }], 3)).rejects.toThrow()
})

const isArm = (name: string): boolean => name.includes('/arm64/')
const stored = (found: Awaited<ReturnType<Images['find']>>) =>
  found.map((each) => ({
    ...each,
    requirements: each.requirements.map(({ key, operator, values = [] }) => ({ key, operator, values })),
  }))

test('if one parameter is throttled, no images are returned, because its image is not gone', async () => {
  const { ssm, find } = harness()
  ssm.refuses = (name) => (isArm(name) ? { code: 'ThrottlingException', status: 400 } : undefined)
  await expect(find([{ alias: 'al2023@latest' }])).rejects.toThrow('ThrottlingException')
})

test('if a parameter must not be read, its current image is kept, while readable parameters are updated', async () => {
  const { clock, ec2, ssm, find } = harness()
  const known = stored(await find([{ alias: 'al2023@latest' }]))
  await clock.advance(25 * 3_600_000)
  ssm.refuses = (name) => (isArm(name) ? { code: 'AccessDeniedException', status: 400 } : undefined)
  ec2.images.push({ ...ec2.images[0], ImageId: 'ami-new', CreationDate: '2026-06-01T00:00:00.000Z' })
  for (const [name, id] of ssm.parameters) if (id === 'ami-x86') ssm.parameters.set(name, 'ami-new')
  expect((await find([{ alias: 'al2023@latest' }], 2, known)).map(({ id }) => id)).toEqual([
    'ami-new',
    'ami-gpu',
    'ami-arm',
  ])
  // Images of another family are not kept, because their nodes would boot differently.
  ssm.parameters.set('/aws/service/bottlerocket/aws-k8s-1.36/x86_64/latest/image_id', 'ami-gpu')
  expect((await find([{ alias: 'bottlerocket@latest' }], 3, known)).map(({ id }) => id)).not.toContain('ami-arm')
  // If AWS has removed a parameter, the image of this parameter is no longer used.
  ssm.refuses = undefined
  for (const name of [...ssm.parameters.keys()].filter(isArm)) ssm.parameters.delete(name)
  expect((await find([{ alias: 'al2023@latest' }], 4, known)).map(({ id }) => id)).toEqual(['ami-new', 'ami-gpu'])
})

test('an alias that never had any parameter is not the same as one whose images are gone', async () => {
  const { ec2, find } = harness()
  await expect(find([{ alias: 'al2023@v20990101' }])).rejects.toThrow(AliasWithoutImagesError)
  ec2.images = []
  expect(await find([{ alias: 'al2023@latest' }])).toEqual([])
})

test.each([
  ['amazon-eks-node-al2023-x86_64-standard-1.34-v20250101', 'AL2023', 'v20250101', true],
  ['amazon-eks-node-al2023-arm64-nvidia-1.34-v20250101', 'AL2023', 'latest', true],
  ['amazon-eks-node-al2023-x86_64-standard-1.34-v20250101', 'AL2023', 'v20250102', false],
  ['amazon-eks-node-al2023-x86_64-standard-1.34-v20250101', 'AL2', 'v20250101', false],
  ['amazon-eks-node-1.30-v20240807', 'AL2', 'v20240807', true],
  ['amazon-eks-arm64-node-1.30-v20240807', 'AL2', 'latest', true],
  ['bottlerocket-aws-k8s-1.34-x86_64-v1.20.4-5d9ac849', 'Bottlerocket', '1.20.4', true],
  ['bottlerocket-aws-k8s-1.34-nvidia-aarch64-v1.20.4-5d9ac849', 'Bottlerocket', 'v1.20.4', true],
  ['bottlerocket-aws-k8s-1.34-x86_64-v1.20.4-5d9ac849', 'Bottlerocket', '1.20.40', false],
  ['Windows_Server-2022-English-Core-EKS_Optimized-1.34-2025.01.14', 'Windows2022', 'latest', true],
  ['Windows_Server-2022-English-Core-EKS_Optimized-1.34-2025.01.14', 'Windows2019', 'latest', false],
  ['', 'AL2023', 'latest', false],
] as const)('the image %s belongs to %s@%s: %s', (name, family, version, expected) => {
  expect(isNameOfAlias(name, { family, version })).toBe(expected)
})

test('results are cached for a minute, and read again when the class changes', async () => {
  const { clock, ec2, find } = harness()
  const term = [{ id: 'ami-x86' }]
  await find(term)
  await find(term)
  expect(ec2.faults.count('describeImages')).toBe(1)
  await find(term, 2)
  await clock.advance(61_000)
  await find(term, 2)
  expect(ec2.faults.count('describeImages')).toBe(3)
})
