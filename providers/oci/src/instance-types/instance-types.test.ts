import { formatQuantity, labels, parseQuantity, type Taint, wellKnownLabels } from '@kerf/apis'
import { fits, offeringAllocatable, offeringCoordinates, orderByPrice } from '@kerf/provider-contract'
import { SeededRandom } from '@kerf/runtime'
import { propertyRuns } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import { communityLabels, oracleLabels } from '../names.ts'
import { knownRates, knownShapes, publishedMonths } from '../tables/known-shapes.ts'
import { communityClass, market, oracleClass, sampleTypes, typeSettings } from '../testing/type-samples.ts'
import { type OciType, ociTypes } from './instance-types.ts'
import { hourlyPrice } from './shape-rates.ts'
import { sizesOfShape } from './sized-shape.ts'

const E4 = 'VM.Standard.E4.Flex'
const names = (types: readonly OciType[]): readonly string[] => types.map(({ type }) => type.name)
const only = (types: readonly OciType[]): OciType => {
  const [first, ...others] = types
  if (first === undefined || others.length > 0) throw new Error(`expected one type, got ${names(types).join(', ')}`)
  return first
}
const shown = (amount: bigint | undefined): string => formatQuantity((amount ?? 0n) as never, 'BinarySI')
const values = ({ type }: OciType, key: string): readonly string[] | undefined =>
  type.requirements.find((each) => each.key === key)?.values
const ways = ({ type }: OciType): readonly string[] =>
  type.offerings.map((offering) => {
    const { capacityType, zone } = offeringCoordinates(type, offering)
    return `${capacityType} ${zone} ${offering.price} ${offering.available}`
  })
/** Returns the sizes of a flexible shape for an OciNodeClass, with the default settings of zoom/karpenter-oci's chart. */
const typesOf = (shape: string): readonly OciType[] => {
  const known = ofShape.get(shape) ?? sampleTypes([shape], communityClass())
  ofShape.set(shape, known)
  return known
}
const ofShape = new Map<string, readonly OciType[]>()
const taint = (key: string): readonly Taint[] => [{ key, effect: 'NoSchedule' }]
const SPOT_TAINT = taint('oci.oraclecloud.com/oke-is-preemptible')
const subnetConfig = { subnetId: 'ocid1.subnet.a' }

describe('prices', () => {
  const known = [...publishedMonths].flatMap(([name, month]) => {
    const [facts, rates] = [knownShapes.get(name), knownRates.get(name)]
    return facts === undefined || rates === undefined ? [] : [{ name, month, facts, rates }]
  })

  test('most shapes with a fixed size have a published monthly price', () => {
    expect(known.length).toBeGreaterThan(25)
  })

  test.each(known)('744 hours of $name cost $month', ({ facts, rates, month }) => {
    const [size] = sizesOfShape(facts, communityClass(), typeSettings.sizes)
    expect(size === undefined ? undefined : hourlyPrice(size, rates) * 744).toBeCloseTo(month, 1)
  })

  test('a burstable instance costs a share of its OCPUs, and all of its memory', () => {
    const sizes = [{ ocpus: 8, memoryInGbs: 16, baselineOcpuUtilization: 'BASELINE_1_8' as const }]
    const { type } = only(sampleTypes([E4], oracleClass({ shapeConfigs: sizes })))
    expect(type.offerings[0]?.price).toBeCloseTo(0.025 + 16 * 0.0015, 9)
  })

  test('a shape without a price has offerings with an unknown price', () => {
    expect(ways(only(sampleTypes(['BM.Standard.E2.64'], communityClass())))[0]).toBe(
      'on-demand PHX-AD-1 undefined true',
    )
  })
})

describe('sizes of flexible shapes', () => {
  test('an OciNodeClass has the sizes of the settings, within the limits of the shape', () => {
    const sizes = { ...typeSettings.sizes, ocpus: [1, 2, 4], memoryRatios: [4] }
    const types = sampleTypes([E4, 'VM.Standard.A1.Flex'], communityClass(), { settings: { ...typeSettings, sizes } })
    expect(names(types)).toEqual([
      ...[`${E4}.1o.8g`, `${E4}.2o.16g`, `${E4}.4o.32g`],
      ...['VM.Standard.A1.Flex.1o.4g', 'VM.Standard.A1.Flex.2o.8g', 'VM.Standard.A1.Flex.4o.16g'],
    ])
    const large = { ...sizes, ocpus: [18, 19], memoryRatios: [2, 8] }
    const found = sampleTypes(['VM.Optimized3.Flex'], communityClass(), { settings: { ...typeSettings, sizes: large } })
    expect(names(found)).toEqual(['VM.Optimized3.Flex.18o.72g'])
  })

  test('an OCINodeClass has its own sizes, otherwise those of the settings, otherwise none', () => {
    const settings = {
      ...typeSettings,
      sizes: { ...typeSettings.sizes, sizes: [{ ocpus: 3, memoryInGBs: 6, baseline: undefined }] },
    }
    expect(names(sampleTypes([E4], oracleClass()))).toEqual([`${E4}.2o.16g.1_1b`])
    const none = oracleClass({ shapeConfigs: [] })
    expect(names(sampleTypes([E4], none, { settings }))).toEqual([`${E4}.3o.6g.1_1b`])
    expect(names(sampleTypes([E4], none))).toEqual([])
  })

  test('an OCINodeClass: sizes without OCPUs or outside the limits are omitted, and of equal names the first is kept', () => {
    const shapeConfigs = [
      { memoryInGbs: 8 },
      { ocpus: 2, memoryInGbs: 8 },
      { ocpus: 1.5, memoryInGbs: 7.5 },
      { ocpus: 200, memoryInGbs: 8 },
      { ocpus: 1, memoryInGbs: 65 },
      { ocpus: 8, baselineOcpuUtilization: 'BASELINE_1_8' as const },
    ]
    const types = sampleTypes([E4, 'VM.Optimized3.Flex'], oracleClass({ shapeConfigs }))
    expect(names(types)).toEqual([`${E4}.2o.8g.1_1b`, `${E4}.8o.16g.1_8b`, 'VM.Optimized3.Flex.2o.8g.1_1b'])
    expect(types[1]?.type.capacity['cpu']).toBe(parseQuantity('16'))
  })

  test('the cheapest type for random pods is exact: no smaller size would fit', () => {
    const random = new SeededRandom('pods for flexible shapes')
    const shapes = [E4, 'VM.Standard.E5.Flex', 'VM.Standard.A1.Flex', 'VM.Optimized3.Flex', 'VM.Standard3.Flex']
    for (let run = 0; run < propertyRuns(400); run++) {
      const cpu = 1 + Math.floor(random.next() ** 3 * 40_000)
      const memory = 1 + Math.floor(random.next() ** 3 * 300_000)
      const requests = { cpu: parseQuantity(`${cpu}m`), memory: parseQuantity(`${memory}Mi`) }
      for (const shape of shapes) {
        const fitting = typesOf(shape).filter(({ type }) => fits(requests, offeringAllocatable(type)))
        const [chosen] = orderByPrice(
          fitting.map(({ type }) => type),
          [],
        )
        const size = fitting.find(({ type }) => type === chosen)?.size
        const smaller = fitting.filter(
          ({ size: other }) =>
            size !== undefined && other !== size && other.ocpus <= size.ocpus && other.memoryInGBs <= size.memoryInGBs,
        )
        expect(names(smaller), `${cpu}m, ${memory}Mi: ${size?.name}`).toEqual([])
        // None of the sizes that fit is cheaper.
        const prices = fitting.map(({ type }) => type.offerings[0]?.price ?? Number.POSITIVE_INFINITY)
        expect(chosen?.offerings[0]?.price, `${cpu}m, ${memory}Mi`).toBe(
          prices.length === 0 ? undefined : Math.min(...prices),
        )
      }
    }
  })

  test('generic shapes, which represent several others, have no types', () => {
    expect(sampleTypes(['VM.Standard.AMD.Generic'], communityClass())).toEqual([])
  })
})

describe('capacity and overhead', () => {
  const small = { ...typeSettings, sizes: { ...typeSettings.sizes, ocpus: [2], memoryRatios: [4] } }

  test('an OciNodeClass: whole GiB without the hypervisor’s share, and the disk in GiB', () => {
    const { type } = only(sampleTypes([E4], communityClass(), { settings: { ...small, memoryOverhead: 0.075 } }))
    expect(Object.entries(type.capacity).map(([name, amount]) => `${name} ${shown(amount)}`)).toEqual([
      'cpu 4',
      `memory ${16 * 1024 - 1229}Mi`,
      'pods 110',
      'ephemeral-storage 100Gi',
    ])
    const { kubeReserved, systemReserved, evictionThreshold } = type.overhead
    expect(
      [kubeReserved, systemReserved, evictionThreshold].map((each) => Object.values(each ?? {}).map(shown)),
    ).toEqual([
      ['85m', '2Gi', '1Gi'],
      ['100m', '100Mi'],
      ['100Mi', '10Gi'],
    ])
  })

  test('an OCINodeClass: the memory of its size, and the disk in GB', () => {
    const { type } = only(sampleTypes([E4], oracleClass()))
    expect(Object.values(type.capacity).map((amount) => formatQuantity(amount, 'DecimalSI'))).toEqual([
      ...['4', `${16 * 1024 ** 3}`, '110', '100G'],
    ])
    expect(Object.values(type.overhead.kubeReserved ?? {}).map(shown)).toEqual(['85m', `${Math.trunc(2.6 * 1024)}Mi`])
    expect(
      Object.values(type.overhead.evictionThreshold ?? {}).map((amount) => formatQuantity(amount, 'DecimalSI')),
    ).toEqual([`${100 * 1024 ** 2}`, '10G'])
  })

  test('kubeReserved of an OciNodeClass replaces all amounts, that of an OCINodeClass only the same resources', () => {
    const reserved = { kubeReserved: { cpu: '1' }, systemReserved: { cpu: '1' } }
    const amounts = ({ type }: OciType) =>
      [type.overhead.kubeReserved, type.overhead.systemReserved].map((each) => Object.keys(each ?? {}))
    expect(amounts(only(sampleTypes([E4], communityClass({ kubelet: reserved }), { settings: small })))).toEqual([
      ['cpu'],
      ['cpu'],
    ])
    expect(amounts(only(sampleTypes([E4], oracleClass({ kubeletConfig: reserved }))))).toEqual([
      ['cpu', 'memory'],
      ['cpu', 'memory'],
    ])
  })

  test.each([
    [{ 'memory.available': '10%', 'nodefs.available': '20Gi' }, [`${Math.ceil(1.6 * 1024 ** 3)}`, '20Gi']],
    [{ 'memory.available': '100%' }, ['0', '10Gi']],
  ])('thresholds %j', (evictionHard, expected) => {
    const { type } = only(sampleTypes([E4], communityClass({ kubelet: { evictionHard } }), { settings: small }))
    const { memory, 'ephemeral-storage': disk } = type.overhead.evictionThreshold ?? {}
    expect([memory, disk]).toEqual(expected.map((text) => parseQuantity(text)))
  })

  test.each([
    ['a maximum', { maxPods: 30 }, {}, '30'],
    ['a maximum for each vCPU', { podsPerCore: 5 }, {}, '20'],
    ['native networking: 31 for each VNIC but the first', {}, { 'oke-native-pod-networking': 'true' }, '31'],
  ])('pods of an OciNodeClass: %s', (_, kubelet, metaData, pods) => {
    const { type } = only(sampleTypes([E4], communityClass({ kubelet, metaData }), { settings: small }))
    expect(shown(type.capacity['pods'])).toBe(pods)
  })

  test.each([
    ['the addresses of its secondary VNICs', {}, '48'],
    ['which a maximum can only lower', { maxPods: 40 }, '40'],
    ['which a maximum cannot raise', { maxPods: 200 }, '48'],
  ])('pods of an OCINodeClass: %s', (_, kubeletConfig, pods) => {
    const networkConfig = {
      primaryVnicConfig: { subnetConfig },
      secondaryVnicConfigs: [{ subnetConfig, ipCount: 16 }, { subnetConfig }],
    }
    const { type } = only(sampleTypes(['VM.Standard2.4'], oracleClass({ kubeletConfig, networkConfig })))
    expect(shown(type.capacity['pods'])).toBe(pods)
  })

  test('a shape with too few VNICs stays in the list, but is unavailable', () => {
    const networkConfig = {
      primaryVnicConfig: { subnetConfig },
      secondaryVnicConfigs: [{ subnetConfig }, { subnetConfig }],
    }
    const { type } = only(sampleTypes(['VM.Standard2.1'], oracleClass({ networkConfig })))
    expect(type.offerings.map(({ available }) => available)).toEqual([false, false])
  })

  test('GPUs become the extended resource of their manufacturer', () => {
    const { type } = only(sampleTypes(['VM.GPU3.2'], communityClass()))
    expect(type.capacity['nvidia.com/gpu']).toBe(parseQuantity('2'))
  })
})

describe('offerings', () => {
  test('an OciNodeClass: on-demand and preemptible, at half the price, in each zone', () => {
    expect(ways(only(sampleTypes(['VM.Standard2.1'], communityClass())))).toEqual([
      'on-demand PHX-AD-1 0.0638 true',
      'on-demand PHX-AD-2 0.0638 true',
      'preemptible PHX-AD-1 0.0319 true',
      'preemptible PHX-AD-2 0.0319 true',
    ])
    const { type } = only(sampleTypes(['BM.Standard2.52'], communityClass()))
    expect(type.offerings).toHaveLength(2)
  })

  test('an OCINodeClass: spot only if the pool has the taint, and never for a burstable size', () => {
    expect(ways(only(sampleTypes([E4], oracleClass())))).toHaveLength(2)
    expect(ways(only(sampleTypes([E4], oracleClass(), { taints: SPOT_TAINT })))[2]).toBe('spot PHX-AD-1 0.037 true')
    const shapeConfigs = [{ ocpus: 2, memoryInGbs: 16, baselineOcpuUtilization: 'BASELINE_1_2' as const }]
    expect(ways(only(sampleTypes([E4], oracleClass({ shapeConfigs }), { taints: SPOT_TAINT })))).toHaveLength(2)
  })

  test('an OCINodeClass: GPU shapes only if the pool has the taint', () => {
    expect(sampleTypes(['VM.GPU3.1'], oracleClass())).toEqual([])
    expect(names(sampleTypes(['VM.GPU3.1'], oracleClass(), { taints: taint('nvidia.com/gpu') }))).toEqual(['VM.GPU3.1'])
  })

  test('an Always Free shape cannot be launched', () => {
    const facts = knownShapes.get('VM.Standard.E2.1')
    if (facts === undefined) throw new Error('no shape')
    const [found] = ociTypes([{ ...facts, isAlwaysFree: true }], oracleClass(), [], market, typeSettings)
    expect(found?.type.offerings.map(({ available }) => available)).toEqual([false, false])
  })

  test('a compute cluster allows its shapes in its availability domain', () => {
    const cluster = { id: 'c', name: undefined, availabilityDomain: 'Uocm:PHX-AD-2' }
    const nodeClass = { ...oracleClass(), computeCluster: cluster }
    const available = (shape: string) =>
      only(sampleTypes([shape], nodeClass)).type.offerings.map((each) => each.available)
    expect(available('BM.HPC2.36')).toEqual([false, true])
    expect(available('BM.Standard2.52')).toEqual([false, false])
  })

  test('a capacity reservation has offerings for its remaining instances of exactly this size', () => {
    const id = 'ocid1.capacityreservation.oc1.phx.abc'
    const reservation = { id, name: undefined, availabilityDomain: 'Uocm:PHX-AD-1' }
    const size = { shape: E4, ocpus: 2, memoryInGBs: 16 }
    const reservedSizes = () => [
      { ...size, reserved: 5, used: 2, faultDomain: 'FAULT-DOMAIN-1' },
      { ...size, reserved: 1, used: 1 },
      { ...size, ocpus: 4, reserved: 9, used: 0 },
    ]
    const type = only(
      sampleTypes(
        [E4],
        { ...oracleClass(), capacityReservations: [reservation] },
        {
          taints: SPOT_TAINT,
          market: { ...market, reservedSizes },
        },
      ),
    )
    expect(ways(type).slice(2)).toEqual(['reserved PHX-AD-1 0.0629 true', 'reserved PHX-AD-1 0.0629 false'])
    expect(type.type.offerings.slice(2).map(({ reservationCapacity }) => reservationCapacity)).toEqual([3, 0])
    expect(values(type, oracleLabels.reservationId)).toEqual(['abc'])
    expect(values(type, labels.capacityType)).toEqual(['on-demand', 'reserved'])
  })
})

describe('labels', () => {
  test('every type has one requirement for each well-known label, with the labels of its upstream provider', () => {
    const keys = [...wellKnownLabels, ...Object.values(communityLabels), ...Object.values(oracleLabels)].filter(
      (key) => key !== labels.nodePool,
    )
    for (const nodeClass of [communityClass(), oracleClass()])
      for (const { type } of sampleTypes([E4, 'BM.DenseIO2.52'], nodeClass))
        for (const key of keys)
          expect(
            type.requirements.filter((each) => each.key === key),
            `${type.name} ${key}`,
          ).toHaveLength(1)
  })

  test('an OciNodeClass: labels contain the size, and the Node has the name of the shape', () => {
    const settings = { ...typeSettings, sizes: { ...typeSettings.sizes, ocpus: [4], memoryRatios: [4] } }
    const type = only(sampleTypes([E4], communityClass(), { settings }))
    expect(values(type, labels.instanceType)).toEqual([E4, `${E4}.4o.32g`])
    expect(Object.values(communityLabels).map((key) => values(type, key)?.[0])).toEqual([
      ...['default', E4, '8', '32768', undefined, undefined, '4096', '4', 'true'],
    ])
    expect(Object.values(oracleLabels).map((key) => values(type, key))).toEqual(Array.from({ length: 8 }))
  })

  test('an OCINodeClass: labels for kinds of shapes exist only with the value true', () => {
    const taints = taint('nvidia.com/gpu')
    const found = sampleTypes([E4, 'BM.DenseIO2.52', 'VM.GPU3.1'], oracleClass(), { taints })
    const kinds = [oracleLabels.flexible, oracleLabels.bareMetal, oracleLabels.denseIo, oracleLabels.gpu]
    expect(found.map((type) => kinds.map((key) => values(type, key)?.[0] ?? '-').join(' '))).toEqual([
      'true - - -',
      '- true true -',
      '- - - true',
    ])
    expect(found.map((type) => values(type, oracleLabels.shape)?.[0])).toEqual([E4, 'BM.DenseIO2.52', 'VM.GPU3.1'])
  })

  test.each([
    ['VM.Standard.A1.Flex', 'arm64', '4'],
    ['BM.Standard.A1.160', 'arm64', '160'],
    [E4, 'amd64', '8'],
  ])('the processor of %s is %s', (shape, arch, cpu) => {
    const settings = { ...typeSettings, sizes: { ...typeSettings.sizes, ocpus: [4], memoryRatios: [4] } }
    const type = only(sampleTypes([shape], communityClass(), { settings }))
    expect([values(type, labels.arch)?.[0], values(type, communityLabels.cpu)?.[0]]).toEqual([arch, cpu])
  })
})
