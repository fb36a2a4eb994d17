import { formatResources } from '@kerf/apis'
import { node as buildNode } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import { slicesOfNode } from './device-drivers.ts'
import { generatedEntries } from './generated-types.ts'
import { kwokInstanceType } from './instance-type.ts'
import { parseInstanceTypeFile } from './instance-type-file.ts'
import { InstanceTypeFileError } from './instance-type-file-error.ts'
import { loadInstanceTypes } from './load-instance-types.ts'

const named = (name: string) => {
  const entry = generatedEntries().find((candidate) => candidate.name === name)
  if (entry === undefined) throw new Error(`no ${name}`)
  return entry
}
const priceOf = (name: string, capacityType: string): number | undefined =>
  named(name).offerings.find((offering) => offering.Requirements[0]?.values?.[0] === capacityType)?.Price

describe('the generated instance types', () => {
  test('there are 144 types in upstream’s order, with eight offerings each', () => {
    const entries = generatedEntries()
    expect(entries).toHaveLength(144)
    expect(entries.slice(0, 6).map(({ name }) => name)).toEqual([
      'c-1x-amd64-linux',
      'c-1x-arm64-linux',
      'c-1x-amd64-windows',
      'c-1x-arm64-windows',
      's-1x-amd64-linux',
      's-1x-arm64-linux',
    ])
    expect(entries.every(({ offerings }) => offerings.length === 8)).toBe(true)
  })

  test('prices equal upstream’s exactly', () => {
    expect(priceOf('c-1x-amd64-linux', 'on-demand')).toBe(0.027147483648)
    expect(priceOf('c-1x-amd64-linux', 'spot')).toBe(0.019003238553599998)
    expect(priceOf('s-4x-arm64-linux', 'on-demand')).toBe(0.117179869184)
    expect(priceOf('m-256x-amd64-windows', 'on-demand')).toBe(8.599023255552)
  })

  test('pods increase with CPUs up to 1024, and memory is a canonical quantity', () => {
    expect(named('m-256x-amd64-linux').resources).toEqual({
      cpu: '256',
      memory: '2Ti',
      pods: '1024',
      'ephemeral-storage': '20Gi',
    })
    expect(named('c-2x-amd64-linux').resources['pods']).toBe('32')
  })

  test('an offering without Price has an unknown price, and an offering with Price 0 is free', () => {
    const [first, second] = named('c-1x-amd64-linux').offerings
    const offerings = [
      { ...first, Price: undefined },
      { ...second, Price: 0 },
    ]
    const [type] = parseInstanceTypeFile(JSON.stringify([{ ...named('c-1x-amd64-linux'), offerings }]), 'unpriced.json')
    expect(type?.offerings.map(({ price }) => price)).toEqual([undefined, 0])
  })

  test('the types can be written to a file and parsed again', () => {
    const text = JSON.stringify(generatedEntries())
    expect(parseInstanceTypeFile(text, 'round.json')).toEqual(generatedEntries().map(kwokInstanceType))
  })
})

describe('instance types', () => {
  const labels = (name: string) =>
    Object.fromEntries(
      kwokInstanceType(named(name)).requirements.map((r) => [r.key, r.values?.join(',') ?? r.operator]),
    )

  test('have every label that distinguishes them, and exclude labels that they never have', () => {
    expect(labels('s-4x-arm64-linux')).toEqual({
      'node.kubernetes.io/instance-type': 's-4x-arm64-linux',
      'kubernetes.io/arch': 'arm64',
      'kubernetes.io/os': 'linux',
      'karpenter.sh/capacity-type': 'spot,on-demand',
      'topology.kubernetes.io/zone': 'test-zone-a,test-zone-b,test-zone-c,test-zone-d',
      'karpenter.kwok.sh/instance-size': '4',
      'karpenter.kwok.sh/instance-family': 's',
      'karpenter.kwok.sh/instance-cpu': '4',
      'karpenter.kwok.sh/instance-memory': '16Gi',
      'topology.kubernetes.io/region': 'DoesNotExist',
      'node.kubernetes.io/windows-build': 'DoesNotExist',
    })
  })

  test.each([
    ['m5.xlarge', 'm5', 'xlarge'],
    ['m5.metal-24xl', 'm5', 'metal-24xl'],
    ['Standard', 'S', '2'],
    ['n2-standard-4', 'n2', '2'],
    ['.odd', '.', '2'],
  ])('%s has family %s and size %s', (name, family, size) => {
    const type = kwokInstanceType({ ...named('c-2x-amd64-linux'), name })
    const labelOf = (key: string) => type.requirements.find((requirement) => requirement.key === key)?.values?.[0]
    expect(labelOf('karpenter.kwok.sh/instance-family')).toBe(family)
    expect(labelOf('karpenter.kwok.sh/instance-size')).toBe(size)
  })

  test('have the devices in the file, in slices of their node', () => {
    const promised = {
      resourceSliceTemplates: [
        {
          driver: 'd.io',
          pool: { name: 'p' },
          devices: [
            {
              name: 'a',
              attributes: { kind: { string: 'x' } },
              capacity: { memory: { value: '1Gi' } },
              consumesCounters: [{ counterSet: 's', counters: { c: { value: '1' } } }],
            },
          ],
        },
        { driver: 'd.io', pool: { name: 'p' }, sharedCounters: [{ name: 's', counters: { c: { value: '2' } } }] },
      ],
      attributeBindings: [{ attribute: 'd.io/root', devices: [{ driver: 'd.io', pool: 'p', device: 'a' }] }],
    }
    const [type] = parseInstanceTypeFile(
      JSON.stringify([{ ...named('c-1x-amd64-linux'), dynamicResources: promised }]),
      'types.json',
    )
    expect(type?.dynamicResources).toEqual(promised)
    const node = buildNode('n', { metadata: { uid: 'u' } })
    const slices = slicesOfNode(node, promised)
    expect(slices.map(({ metadata }) => [metadata.name, metadata.ownerReferences?.[0]?.uid])).toEqual([
      ['n-0', 'u'],
      ['n-1', 'u'],
    ])
    expect(slices.map(({ spec }) => [spec.nodeName, spec.pool])).toEqual([
      ['n', { name: 'n/p', generation: 1, resourceSliceCount: 2 }],
      ['n', { name: 'n/p', generation: 1, resourceSliceCount: 2 }],
    ])
  })

  test('have capacity for 110 pods by default, and every offering is available', () => {
    const entry = named('c-2x-amd64-linux')
    const type = kwokInstanceType({
      ...entry,
      resources: { cpu: '2', memory: '2048Mi' },
      offerings: entry.offerings.map((offering) => ({ ...offering, Available: false })),
    })
    expect(formatResources(type.capacity)).toEqual({ cpu: '2', memory: '2Gi', pods: '110' })
    expect(type.overhead.kubeReserved && formatResources(type.overhead.kubeReserved)).toEqual({
      cpu: '100m',
      memory: '10Mi',
    })
    expect(type.offerings.every(({ available }) => available)).toBe(true)
  })
})

describe('an invalid file is rejected with file, entry and field', () => {
  const entry = (change: object): string => JSON.stringify([{ ...named('c-1x-amd64-linux'), ...change }])
  const offering = (change: object): string =>
    entry({ offerings: [{ ...named('c-1x-amd64-linux').offerings[0], ...change }] })
  test.each([
    ['{', '', 'is not JSON'],
    ['{}', '', 'expected a list, found an object'],
    ['[]', '', 'lists no instance type'],
    ['[7]', '[0]', 'expected an object, found 7'],
    [entry({ name: '' }), '[0].name', 'expected a string, found ""'],
    [entry({ architecture: undefined }), '[0].architecture', 'expected a string, found nothing'],
    [entry({ operatingSystems: 'linux' }), '[0].operatingSystems', 'expected a list, found "linux"'],
    [entry({ operatingSystems: [] }), '[0].operatingSystems', 'has no operating system'],
    [entry({ resources: { cpu: '1' } }), '[0].resources.memory', 'is missing or zero'],
    [entry({ resources: { cpu: 'one', memory: '1Gi' } }), '[0].resources.cpu', '"one" is not a quantity'],
    [entry({ resources: { cpu: '-1', memory: '1Gi' } }), '[0].resources.cpu', '0 or more, found -1'],
    [entry({ offerings: {} }), '[0].offerings', 'expected a list, found an object'],
    [offering({ Price: '0.1' }), '[0].offerings[0].Price', 'expected a price per hour of 0 or more, found "0.1"'],
    [offering({ Price: null }), '[0].offerings[0].Price', 'expected a price per hour of 0 or more, found'],
    [offering({ Price: -1 }), '[0].offerings[0].Price', 'found -1'],
    [offering({ Available: 'yes' }), '[0].offerings[0].Available', 'expected true or false'],
    [offering({ Requirements: [] }), '[0].offerings[0].Requirements', 'must hold karpenter.sh/capacity-type'],
    [
      offering({ Requirements: [{ key: 'a', operator: 'Has' }] }),
      '[0].offerings[0].Requirements[0].operator',
      '"Has" is not one of In',
    ],
    [offering({ ReservationCapacity: 1.5 }), '[0].offerings[0].ReservationCapacity', 'whole number'],
    [
      entry({ offerings: [named('c-1x-amd64-linux').offerings[0], named('c-1x-amd64-linux').offerings[0]] }),
      '[0].offerings[1]',
      'offers the same as offerings[0]',
    ],
    [JSON.stringify([named('c-1x-amd64-linux'), named('c-1x-amd64-linux')]), '[1].name', 'is already listed at [0]'],
  ])('%#: %s', (text, field, problem) => {
    let caught: unknown
    try {
      parseInstanceTypeFile(text, 'types.json')
    } catch (error) {
      caught = error
    }
    expect(caught).toBeInstanceOf(InstanceTypeFileError)
    expect(caught).toMatchObject({ fileName: 'types.json', field })
    expect(String(caught)).toContain('types.json')
    expect(String(caught)).toContain(problem)
  })

  const devices = (value: unknown): string => entry({ dynamicResources: value })
  const template = (change: object): string =>
    devices({ resourceSliceTemplates: [{ driver: 'd.io', pool: { name: 'p' }, ...change }] })
  test.each([
    [devices([]), '[0].dynamicResources', 'expected an object, found a list'],
    [devices({}), '[0].dynamicResources.resourceSliceTemplates', 'expected a list, found nothing'],
    [template({ driver: 7 }), '[0].dynamicResources.resourceSliceTemplates[0].driver', 'expected a string'],
    [template({ pool: {} }), '[0].dynamicResources.resourceSliceTemplates[0].pool.name', 'expected a string'],
    [
      template({ devices: [{ name: 'a' }, { name: 'a' }] }),
      '[0].dynamicResources.resourceSliceTemplates[0].devices[1].name',
      'a is defined twice',
    ],
    [
      template({ devices: [{ name: 'a', capacity: { memory: { value: 'much' } } }] }),
      '[0].dynamicResources.resourceSliceTemplates[0].devices[0].capacity.memory.value',
      '"much" is not a quantity',
    ],
    [
      template({ sharedCounters: [{ name: 's', counters: { c: {} } }] }),
      '[0].dynamicResources.resourceSliceTemplates[0].sharedCounters[0].counters.c.value',
      'is not a quantity',
    ],
    [
      template({ devices: [{ name: 'a', consumesCounters: [{ counters: {} }] }] }),
      '[0].dynamicResources.resourceSliceTemplates[0].devices[0].consumesCounters[0].counterSet',
      'expected a string',
    ],
    [
      devices({
        resourceSliceTemplates: [],
        attributeBindings: [{ attribute: 'd.io/root', devices: [{ driver: 'd.io' }] }],
      }),
      '[0].dynamicResources.attributeBindings[0].devices[0].pool',
      'expected a string',
    ],
  ])('devices, %#: %s', (text, field, problem) => {
    expect(() => parseInstanceTypeFile(text, 'types.json')).toThrow(InstanceTypeFileError)
    expect(() => parseInstanceTypeFile(text, 'types.json')).toThrow(`${field}: `)
    expect(() => parseInstanceTypeFile(text, 'types.json')).toThrow(problem)
  })

  test('the error for an unreadable file contains the name of the file', async () => {
    await expect(loadInstanceTypes('no/such/types.json')).rejects.toThrow(
      /instance-type file no\/such\/types\.json: cannot be read/,
    )
  })

  test('without a path, they are the generated types', async () => {
    expect(await loadInstanceTypes()).toHaveLength(144)
  })
})
