import { readFileSync } from 'node:fs'
import { labels, type Quantity, toQuantity, tryParseQuantity } from '@kerf/apis'
import type { Resources } from '@kerf/engine'
import { offeringAllocatable } from '@kerf/provider-contract'
import { expect, test } from 'vitest'
import { gcpLabels } from '../label-names.ts'
import { typeSettings, typesOfVectors } from '../testing/type-cases.ts'
import { gpusOfType, type TypeFacts, tpuChips } from '../type-facts.ts'
import { typeCapacity, typeOverhead } from './capacity.ts'
import { classTraits } from './class-traits.ts'
import { typeRequirements } from './type-labels.ts'

type Texts = Readonly<Record<string, string>>

/** The properties of an instance type that upstream at 417f047b computes, for one type and one setting of `type-cases.ts`. */
interface Recorded {
  readonly type: string
  readonly setting: number
  readonly capacity: Texts
  readonly kubeReserved: Texts
  readonly systemReserved: Texts
  readonly evictionThreshold: Texts
  readonly allocatable: Texts
  /** Requirements with a single value. Recorded only for the first setting. */
  readonly labels?: Texts
}

const recorded: readonly Recorded[] = readFileSync(new URL('instance-types.vectors.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line))

const amounts = (texts: Texts): Resources =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, tryParseQuantity(text) as Quantity]))

const factsOf = new Map(typesOfVectors().map((facts) => [facts.name, facts]))

const own = ({ type, setting }: Recorded) => {
  const facts = factsOf.get(type) as TypeFacts
  const { memoryOverhead = 0, spec = {} } = typeSettings[setting] ?? {}
  const traits = classTraits({ spec: { imageSelectorTerms: [], ...spec } })
  const capacity = typeCapacity(facts, traits, memoryOverhead)
  const overhead = typeOverhead(facts, traits, capacity)
  const allocatable = offeringAllocatable({ name: type, requirements: [], offerings: [], capacity, overhead })
  return { capacity, ...overhead, allocatable }
}

/** Returns the resources in which the instance type deliberately differs from upstream's (`providers/gcp/docs/spec/gcp.md#differences`). */
const differing = (facts: TypeFacts, { setting }: Recorded): readonly string[] => {
  const { spec = {} } = typeSettings[setting] ?? {}
  const hasSsd = spec.disks?.some(({ category }) => category === 'local-ssd') ?? facts.localSsdGiB > 0
  return [
    // With local SSDs, the ephemeral storage differs, because the boot disk counts.
    ...(hasSsd ? ['ephemeral-storage'] : []),
    // The numbers of GPUs and TPUs differ.
    ...((gpusOfType(facts)?.count ?? 0) > 1 ? ['nvidia.com/gpu'] : []),
    ...(tpuChips(facts) > 0 ? ['nvidia.com/gpu', 'google.com/tpu'] : []),
  ]
}

const without = (resources: Resources, names: readonly string[]): Resources =>
  Object.fromEntries(Object.entries(resources).filter(([name]) => !names.includes(name)))

const atLeastZero = (resources: Resources): Resources =>
  Object.fromEntries(Object.entries(resources).map(([name, amount]) => [name, amount < 0n ? toQuantity(0) : amount]))

test('60 types with 3 settings have the same capacity, overhead and allocatable resources as upstream', () => {
  expect(new Set(recorded.map(({ type }) => type)).size).toBe(60)
  const parts = ['capacity', 'kubeReserved', 'systemReserved', 'evictionThreshold', 'allocatable'] as const
  const compared = recorded.flatMap((each) => {
    const ours = own(each)
    const names = differing(factsOf.get(each.type) as TypeFacts, each)
    return parts.map((part) => ({
      where: `${each.type} ${each.setting} ${part}`,
      ours: without(ours[part] ?? {}, names),
      // Upstream's allocatable may be negative. Kerf's contract forbids negative amounts.
      theirs: atLeastZero(without(amounts(each[part]), names)),
    }))
  })
  expect(compared.map(({ where, ours }) => [where, ours])).toEqual(compared.map(({ where, theirs }) => [where, theirs]))
})

test('each amount that is listed as different does differ', () => {
  const same = recorded.flatMap((each) => {
    const { capacity } = own(each)
    const theirs = amounts(each.capacity)
    return differing(factsOf.get(each.type) as TypeFacts, each).filter((name) => capacity[name] === theirs[name])
  })
  expect(same).toEqual([])
})

/** Returns the labels in which the instance type deliberately differs from upstream's (`providers/gcp/docs/spec/gcp.md#differences`). */
const differingLabels = (facts: TypeFacts): readonly string[] => [
  ...(gpusOfType(facts) === undefined ? [] : [gcpLabels.cpuScalingLevel]),
  ...((gpusOfType(facts)?.count ?? 0) > 1 ? [gcpLabels.gpuCount] : []),
  ...(tpuChips(facts) > 0 ? [gcpLabels.gpuName, gcpLabels.gpuCount, gcpLabels.accelerator] : []),
  ...(/^[^-]+-[^-]+-[^-]+-[^-]+-/.test(facts.name) ? [gcpLabels.size] : []),
  ...(/^(?:ct\d(?:lp|e)|tpu\dx)-/.test(facts.name) ? [gcpLabels.generation] : []),
]

/** Labels whose values depend on the market instead of the instance type. They were not recorded. */
const NOT_RECORDED: readonly string[] = [labels.os, labels.region, labels.instanceType]

test('60 types have the same labels as upstream', () => {
  const compared = recorded.flatMap(({ type, labels: theirs }) => {
    if (theirs === undefined) return []
    const facts = factsOf.get(type) as TypeFacts
    const differ = differingLabels(facts)
    const ours = typeRequirements(facts, [], 'us-central1').flatMap(({ key, operator, values = [] }) =>
      operator === 'In' && values.length === 1 && !NOT_RECORDED.includes(key) ? [[key, values[0] ?? ''] as const] : [],
    )
    const textsOf = (entries: Iterable<readonly [string, string]>) =>
      [...entries].filter(([key]) => !differ.includes(key)).map(([key, value]) => `${type} ${key}=${value}`)
    return [{ ours: textsOf(ours).toSorted(), theirs: textsOf(Object.entries(theirs)).toSorted() }]
  })
  expect(compared).toHaveLength(60)
  expect(compared.flatMap(({ ours }) => ours)).toEqual(compared.flatMap(({ theirs }) => theirs))
})
