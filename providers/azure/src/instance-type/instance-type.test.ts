import { readFileSync } from 'node:fs'
import { formatResources, labels, parseResources } from '@kerf/apis'
import type { InstanceType, RequirementSpec } from '@kerf/engine'
import { offeringAllocatable } from '@kerf/provider-contract'
import { describe, expect, test } from 'vitest'
import { azureLabels } from '../label-names.ts'
import type { AKSNodeClass } from '../node-class/aks-node-class.ts'
import { isSupportedSize } from '../sizes/supported-size.ts'
import { parseVmSize } from '../sizes/vm-size.ts'
import { firstPrices } from '../tables/first-prices.ts'
import { skuSamples } from '../testing/sku-samples.ts'
import { classTraits } from './class-traits.ts'
import { buildInstanceTypes } from './instance-type.ts'

interface Vector {
  /** The inputs of a list of instance types: the location, the mode of the network plugin, and the node class. */
  readonly list: string
  readonly type: string
  readonly capacity: Readonly<Record<string, string>>
  readonly allocatable: Readonly<Record<string, string>>
  readonly kubeReserved: Readonly<Record<string, string>>
  readonly eviction: Readonly<Record<string, string>>
  readonly requirements: Readonly<Record<string, readonly string[]>>
  readonly offerings: readonly string[]
}

/** The results of upstream's provider at 352646f for the sampled sizes, with its static prices and without quotas. */
const vectors = readFileSync(new URL('instance-type.vectors.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line): Vector => {
    const vector: Vector = JSON.parse(line)
    // Compares amounts by value, regardless of their format.
    const same = (amounts: Readonly<Record<string, string>>) => formatResources(parseResources(amounts))
    const { capacity, allocatable, kubeReserved, eviction } = vector
    return {
      ...vector,
      capacity: same(capacity),
      allocatable: same(allocatable),
      kubeReserved: same(kubeReserved),
      eviction: same(eviction),
    }
  })

/** The node classes used for the upstream results. */
const classes: Readonly<Record<string, Pick<AKSNodeClass, 'spec' | 'status'>>> = {
  default: { spec: { imageFamily: 'Ubuntu', osDiskSizeGB: 128 } },
  azurelinux: {
    spec: {
      imageFamily: 'AzureLinux',
      osDiskSizeGB: 64,
      maxPods: 40,
      gpu: { mode: 'None' },
      artifactStreaming: { enabled: true },
    },
  },
  secure: {
    spec: {
      imageFamily: 'Ubuntu2204',
      osDiskSizeGB: 300,
      fipsMode: 'FIPS',
      security: { encryptionAtHost: true, trustedLaunch: { vtpm: true } },
    },
    status: { localDNSState: 'Enabled' },
  },
}

const typesOf = (list: string): readonly InstanceType[] => {
  const [location = '', mode, name = ''] = list.split('/')
  const { onDemand } = firstPrices(location)
  const sizes = skuSamples()
    .filter(({ locations }) => locations?.includes(location) === true)
    .flatMap((sku) => parseVmSize(sku, location) ?? [])
    .filter(isSupportedSize)
  const traits = classTraits(classes[name] ?? {}, {
    networkPlugin: 'azure',
    networkPluginMode: mode === 'overlay' ? 'overlay' : '',
  })
  const price = (size: string): number | undefined => onDemand.get(size)
  const market = { location, onDemandPrice: price, spotPrice: price, isAvailable: () => true }
  return buildInstanceTypes(sizes, traits, market, {
    nodeResourceGroup: 'MC_(demo)_rg',
    vmMemoryOverheadPercent: 0.075,
  })
}

const valuesOf = (requirements: readonly RequirementSpec[], key: string): readonly string[] =>
  (requirements.find((each) => each.key === key)?.values ?? []).toSorted()

const described = (list: string, type: InstanceType): Vector => {
  const { kubeReserved = {}, evictionThreshold = {} } = type.overhead
  return {
    list,
    type: type.name,
    capacity: formatResources(type.capacity),
    allocatable: formatResources(offeringAllocatable(type)),
    kubeReserved: formatResources(kubeReserved),
    eviction: formatResources(evictionThreshold),
    requirements: Object.fromEntries(
      type.requirements
        .filter(({ key }) => key !== labels.windowsBuild)
        .map(({ key }) => [key, valuesOf(type.requirements, key)]),
    ),
    offerings: type.offerings
      .map(({ requirements, price, available }) => {
        const of = (key: string): string => valuesOf(requirements, key).join(' ')
        return `${of(labels.capacityType)} ${of(labels.zone)} ${of(azureLabels.placementScope)} [${of(azureLabels.ultraSsd)}] ${price} ${available}`
      })
      .sort(),
  }
}

/**
 * Adjusts an expected difference: upstream uses the first possible location of an ephemeral OS disk. Kerf uses the largest, so its size is
 * never smaller.
 */
const withLargestDisk = (theirs: Vector, own: readonly Vector[]): Vector => {
  const sizeIn = (vector: Vector | undefined) => vector?.requirements[azureLabels.ephemeralOsDiskSize] ?? []
  const ours = sizeIn(own.find(({ type }) => type === theirs.type))
  if (!(Number(ours[0]) > Number(sizeIn(theirs)[0]))) return theirs
  return { ...theirs, requirements: { ...theirs.requirements, [azureLabels.ephemeralOsDiskSize]: ours } }
}

describe('instance types of the sampled sizes', () => {
  const lists = [...new Set(vectors.map(({ list }) => list))]
  test.each(lists)('%s: capacity, overhead, labels and offerings equal upstream’s', (list) => {
    const own = typesOf(list).map((type) => described(list, type))
    const theirs = vectors.filter((each) => each.list === list).map((each) => withLargestDisk(each, own))
    expect(own.toSorted((a, b) => (a.type < b.type ? -1 : 1))).toEqual(theirs)
  })

  test('the sampled lists are not empty, and three classes differ', () => {
    expect(lists).toHaveLength(7)
    expect(vectors).toHaveLength(78)
  })
})
