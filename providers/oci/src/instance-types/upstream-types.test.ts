import { readFileSync } from 'node:fs'
import { labels, type Quantity, type Taint, tryParseQuantity } from '@kerf/apis'
import type { InstanceType, Resources } from '@kerf/engine'
import { offeringCoordinates, singleValues } from '@kerf/provider-contract'
import { expect, test } from 'vitest'
import { communityLabels, oracleLabels, type Upstream } from '../names.ts'
import { communityNodeClassDescriptor } from '../node-class/community-descriptor.ts'
import { resolveCommunityClass } from '../node-class/community-resolution.ts'
import { hasNativePods } from '../node-class/native-pods.ts'
import { oracleNodeClassDescriptor } from '../node-class/oracle-descriptor.ts'
import { resolveOracleClass } from '../node-class/oracle-resolution.ts'
import type { ResolvedClass } from '../node-class/resolved-class.ts'
import { numbers } from '../settings/setting-parsers.ts'
import { communityTypeCases, oracleTypeCases, shapesOfCases } from '../testing/type-cases.ts'
import { market, typeSettings } from '../testing/type-samples.ts'
import { apiShapeFacts } from './api-shape-facts.ts'
import { type OciType, ociTypes, type TypeSettings } from './instance-types.ts'
import { vcpusPerOcpu } from './shape-facts.ts'

type Texts = Readonly<Record<string, string>>

/** An instance type that a public provider computed for one of the settings in `type-cases.ts`. */
interface Recorded {
  readonly type: string
  readonly setting: number
  readonly capacity: Texts
  readonly kubeReserved: Texts
  readonly systemReserved: Texts
  readonly evictionThreshold: Texts
  /** Requirements with a single value. */
  readonly labels: Texts
  /** Capacity type, zone and availability. For an OCINodeClass, also the price. */
  readonly offerings: readonly string[]
}

const recorded = (upstream: Upstream): readonly Recorded[] =>
  readFileSync(new URL(`upstream-${upstream}-types.jsonl`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

const facts = shapesOfCases().map(apiShapeFacts)

interface Setting {
  readonly nodeClass: ResolvedClass
  readonly taints: readonly Taint[]
  readonly settings: TypeSettings
}

const settingsOf: Readonly<Record<Upstream, readonly Setting[]>> = {
  community: communityTypeCases.map(({ spec, memoryOverhead, cpus, ratios }) => ({
    nodeClass: resolveCommunityClass({ ...communityNodeClassDescriptor.example, spec }),
    taints: [],
    settings: {
      ...typeSettings,
      memoryOverhead,
      sizes: { ocpus: numbers(cpus), memoryRatios: numbers(ratios), sizes: [] },
    },
  })),
  oracle: oracleTypeCases.map(({ spec, taints }) => ({
    ...{ nodeClass: resolveOracleClass({ ...oracleNodeClassDescriptor.example, spec }), taints },
    settings: { ...typeSettings, sizes: { ocpus: [], memoryRatios: [], sizes: [] } },
  })),
}

/**
 * Returns the key with which Kerf's and upstream's types are matched. An OciNodeClass has the same name for all sizes of a flexible shape.
 */
const keyOf = (upstream: Upstream, texts: Texts): string =>
  upstream === 'oracle'
    ? (texts[labels.instanceType] ?? '')
    : [communityLabels.shape, communityLabels.cpu, communityLabels.memory].map((key) => texts[key]).join(' ')

const labelsOf = (upstream: Upstream, { type, size }: OciType): Texts => ({
  ...singleValues(type.requirements),
  [labels.instanceType]: upstream === 'community' ? size.facts.name : type.name,
})

interface Pair {
  readonly theirs: Recorded
  readonly ours: OciType
  readonly setting: Setting
}

/**
 * Returns the types that both Kerf and upstream have. Bare-metal A1 shapes have twice as many vCPUs in zoom/karpenter-oci, so they are
 * matched by name.
 */
const pairs = (upstream: Upstream): readonly Pair[] => {
  const own = settingsOf[upstream].map(
    ({ nodeClass, taints, settings }) =>
      new Map(
        ociTypes(facts, nodeClass, taints, market, settings).map((each) => [
          keyOf(upstream, labelsOf(upstream, each)),
          each,
        ]),
      ),
  )
  return recorded(upstream).flatMap((theirs) => {
    const setting = settingsOf[upstream][theirs.setting]
    const ours = own[theirs.setting]?.get(keyOf(upstream, theirs.labels))
    return ours === undefined || setting === undefined ? [] : [{ theirs, ours, setting }]
  })
}

const where = ({ theirs }: Pair): string => `${theirs.type} ${theirs.setting}`
const amounts = (texts: Texts): Resources =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, tryParseQuantity(text) as Quantity]))
const without = (resources: Resources = {}, ...names: readonly string[]): Resources =>
  Object.fromEntries(Object.entries(resources).filter(([name]) => !names.includes(name)))
const GPUS = ['nvidia.com/gpu', 'amd.com/gpu']

test.each<Upstream>(['community', 'oracle'])('60 types of the %s kind with 3 settings are compared', (upstream) => {
  const compared = pairs(upstream)
  expect(new Set(compared.map(({ ours }) => ours.type.name)).size).toBeGreaterThanOrEqual(60)
  // Types that only the public provider has.
  const found = new Set(compared.map(where))
  const missing = recorded(upstream).map(({ type, setting }) => `${type} ${setting}`)
  expect(missing.filter((each) => !found.has(each) && !/\.A1\.160 /.test(each))).toEqual([])
})

test('types of an OciNodeClass have the same capacity and overhead as in zoom/karpenter-oci, except for GPUs and pods', () => {
  const compared = pairs('community')
  const parts = ({ ours: { type }, theirs, setting }: Pair) => {
    const names = [...GPUS, ...(hasNativePods(setting.nodeClass) ? [] : ['pods'])]
    const own = [without(type.capacity, ...names), type.overhead.kubeReserved, type.overhead.systemReserved]
    const their = [
      without(amounts(theirs.capacity), ...names),
      amounts(theirs.kubeReserved),
      amounts(theirs.systemReserved),
    ]
    return { own: [...own, type.overhead.evictionThreshold], their: [...their, amounts(theirs.evictionThreshold)] }
  }
  expect(compared.map((each) => [where(each), parts(each).own])).toEqual(
    compared.map((each) => [where(each), parts(each).their]),
  )
})

test('types of an OCINodeClass have the same capacity as in oracle/karpenter-provider-oci, except for GPUs', () => {
  const compared = pairs('oracle')
  expect(compared.map((each) => [where(each), without(each.ours.type.capacity, ...GPUS)])).toEqual(
    compared.map((each) => [where(each), amounts(each.theirs.capacity)]),
  )
  const system = (each: Pair) => each.ours.type.overhead.systemReserved
  expect(compared.map(system)).toEqual(compared.map(({ theirs }) => amounts(theirs.systemReserved)))
})

test('an OCINodeClass: the public provider reserves CPU for twice as many vCPUs, and too little memory', () => {
  const computed = pairs('oracle').filter(({ setting }) => setting.nodeClass.kubelet.kubeReserved === undefined)
  const byVcpus = new Map(
    computed.map(({ ours, theirs }) => [ours.size.vcpus, amounts(theirs.kubeReserved)['cpu']] as const),
  )
  const compared = computed.filter(({ theirs }) => theirs.setting === 0)
  const halves = compared.filter(
    ({ ours }) => byVcpus.has(ours.size.vcpus / 2) && vcpusPerOcpu(ours.size.facts.name) === 2,
  )
  expect(halves.length).toBeGreaterThan(5)
  for (const { ours } of halves)
    expect(ours.type.overhead.kubeReserved?.['cpu'], ours.type.name).toBe(byVcpus.get(ours.size.vcpus / 2))
  for (const { ours, theirs } of compared)
    expect(Number(ours.type.overhead.kubeReserved?.['memory']), ours.type.name).toBeGreaterThan(
      Number(amounts(theirs.kubeReserved)['memory']) * 1_000,
    )
})

/** Labels that were not recorded, because they depend on the market or exist only in Kerf. */
const NOT_COMPARED: readonly string[] = [
  ...[labels.capacityType, labels.zone, labels.windowsBuild, communityLabels.nodeClass, oracleLabels.nodeClass],
]

test.each<Upstream>(['community', 'oracle'])(
  'types of the %s kind have the labels of the public provider',
  (upstream) => {
    const compared = pairs(upstream)
    const texts = (all: Texts): Texts =>
      Object.fromEntries(Object.entries(all).filter(([key, value]) => value !== '' && !NOT_COMPARED.includes(key)))
    expect(compared.map((each) => [where(each), texts(labelsOf(upstream, each.ours))])).toEqual(
      compared.map((each) => [where(each), texts(each.theirs.labels)]),
    )
  },
)

const offeringsOf = (type: InstanceType): readonly string[] =>
  type.offerings.map((offering) => {
    const { capacityType, zone } = offeringCoordinates(type, offering)
    return `${capacityType} ${zone} ${offering.available}`
  })

test.each<Upstream>(['community', 'oracle'])(
  'types of the %s kind have the offerings of the public provider',
  (upstream) => {
    // zoom/karpenter-oci lists preemptible offerings for every shape, and marks those that do not exist as unavailable.
    const listed = (offerings: readonly string[]): readonly string[] =>
      offerings
        .map((each) => each.split(' ').slice(0, 3).join(' '))
        .filter((each) => !/^(?:preemptible|spot) .* false$/.test(each))
        .toSorted()
    // oracle/karpenter-provider-oci treats types with an unknown price as unavailable. It also uses the network interfaces of the smallest
    // size for all sizes.
    const isCompared = ({ ours: { type, size }, setting: { nodeClass } }: Pair): boolean =>
      type.offerings[0]?.price !== undefined &&
      (size.facts.flexible === undefined || nodeClass.secondaryVnics.length === 0)
    const compared = pairs(upstream).filter(isCompared)
    expect(compared.map((each) => [where(each), listed(offeringsOf(each.ours.type))])).toEqual(
      compared.map((each) => [where(each), listed(each.theirs.offerings)]),
    )
  },
)

test('types of an OCINodeClass have the same prices as in oracle/karpenter-provider-oci, except for GPUs and local disks', () => {
  const priced = pairs('oracle').filter(
    ({ ours: { size } }) =>
      size.facts.gpus === 0 && size.facts.localDisksInGBs === 0 && !/DenseIO/.test(size.facts.name),
  )
  const price = (text: string): number => Number(text.split(' ')[3])
  const compared = priced.flatMap((each) => {
    const theirs = each.theirs.offerings.find((text) => text.startsWith('on-demand'))
    const [ours] = each.ours.type.offerings
    return theirs === undefined || ours?.price === undefined ? [] : [{ each, ours: ours.price, theirs: price(theirs) }]
  })
  expect(compared.length).toBeGreaterThan(60)
  for (const { each, ours, theirs } of compared) expect(ours, where(each)).toBeCloseTo(theirs, 6)
})
