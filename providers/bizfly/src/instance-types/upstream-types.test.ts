import { readFileSync } from 'node:fs'
import { formatResources, labels } from '@kerf/apis'
import { singleValues } from '@kerf/provider-contract'
import { expect, test } from 'vitest'
import { bizflyLabels } from '../names.ts'
import type { BizflyCloudNodeClassSpec } from '../node-class/bizfly-node-class.ts'
import { flavorFacts } from './flavor-facts.ts'
import { instanceTypes } from './instance-types.ts'

const ALL = ['basic', 'premium', 'enterprise', 'dedicated'] as const

/** The settings of the recording, in its order. */
const SETTINGS: readonly Partial<BizflyCloudNodeClassSpec>[] = [
  { zones: ['HN1'], diskTypes: ['SSD'], nodeCategories: ALL },
  { zones: ['HN1', 'HN2'], diskTypes: ['SSD', 'HDD'], nodeCategories: ['premium'] },
  { zones: ['HN2'], diskTypes: ['HDD'], nodeCategories: ALL, cpuVendors: ['AMD4'] },
  { zones: ['HN1'], diskTypes: ['SSD'], nodeCategories: ['basic', 'dedicated'], cpuVendors: ['Intel2'] },
  { zones: ['HN1'], diskTypes: ['SSD'] },
  { diskTypes: ['SSD'], nodeCategories: ALL },
]

/** Flavors that upstream lists and cannot launch, because it launches only names of the form `p4a.2c_4g` with one of four letters. */
const NOT_LAUNCHED = ['x2.2c_4g', 'nix.2c_4g', 'p.2c_4g', 'p2.2c_4g.old']
/** Without `nodeCategories`, upstream lists every flavor and launches none. Kerf's node class is not ready, and it has no types. */
const WITHOUT_CATEGORIES = 4

interface Recorded {
  readonly name: string
  readonly vcpus: number
  readonly ram: number
  readonly facts: readonly string[]
  /** The offerings for each setting that has the type: pairs of zone and disk type. */
  readonly offerings: ReadonlyMap<number, readonly string[]>
}

/**
 * The instance types of 81 flavors with six settings that bizflycloud/karpenter-provider-bizflycloud 622fe21 computed. Each line has the
 * flavor, the category, the processor, the capacity, the price, and the offerings of each setting.
 */
const recorded: readonly Recorded[] = readFileSync(new URL('upstream-types.tsv', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => {
    const [name = '', vcpus, ram, ...rest] = line.split('\t')
    const offerings = (rest.pop() ?? '').split(' ').flatMap((entry): readonly (readonly [number, string[]])[] => {
      const [setting, pairs] = entry.split(':')
      return pairs === undefined ? [] : [[Number(setting), pairs.split(',')]]
    })
    return { name, vcpus: Number(vcpus), ram: Number(ram), facts: rest, offerings: new Map(offerings) }
  })

test.each(SETTINGS.map((spec, setting) => ({ spec, setting })))(
  '81 flavors with $spec are the instance types of upstream, with the same capacity, labels, price and offerings',
  ({ spec, setting }) => {
    const flavors = recorded.flatMap(({ name, vcpus, ram }) => flavorFacts({ name, vcpus, ram }) ?? [])
    const nodeClass = {
      metadata: { name: 'default' },
      spec: { template: 'ubuntu', networkPlans: ['free_datatransfer' as const], ...spec },
    }
    const types = instanceTypes(flavors, nodeClass, { region: 'HaNoi', capacityType: 'on-demand' })
    const own = types.map(({ name, capacity, requirements, offerings }) => {
      const { cpu, memory, pods } = formatResources(capacity)
      const { [bizflyLabels.category]: category, [bizflyLabels.cpuVendor]: vendor = '' } = singleValues(requirements)
      const disks = requirements.find(({ key }) => key === bizflyLabels.diskType)?.values ?? []
      const zones = offerings.flatMap(
        (offering) => offering.requirements.find(({ key }) => key === labels.zone)?.values ?? [],
      )
      return {
        ...{ name, facts: [category, vendor, cpu, memory, pods, offerings[0]?.price?.toFixed(6)] },
        offerings: zones.flatMap((zone) => disks.map((disk) => `${zone}/${disk}`)).toSorted(),
      }
    })
    const theirs = recorded.flatMap(({ name, facts, offerings }) => {
      const listed = setting === WITHOUT_CATEGORIES ? undefined : offerings.get(setting)
      return listed === undefined || NOT_LAUNCHED.includes(name) ? [] : [{ name, facts, offerings: listed }]
    })
    expect(own).toEqual(theirs)
  },
)

test('the recording has 234 types, of which Kerf lacks only those that upstream cannot launch', () => {
  const listed = recorded.flatMap(({ offerings }) => [...offerings.keys()])
  expect(listed).toHaveLength(234)
  expect(recorded.filter(({ name }) => NOT_LAUNCHED.includes(name)).every(({ offerings }) => offerings.size > 0)).toBe(
    true,
  )
})
