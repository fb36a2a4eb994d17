import { readFileSync } from 'node:fs'
import { capacityTypes, formatResources, parseResources, type ResourceList } from '@kerf/apis'
import { singleValues } from '@kerf/provider-contract'
import { expect, test } from 'vitest'
import { clusterNetwork } from '../discovery/cluster-facts.ts'
import { describedEcsType } from '../ecs-types/described-ecs-type.ts'
import { ALIBABA_GROUP } from '../label-names.ts'
import { typeCases, typeSettings } from '../testing/type-cases.ts'
import { classTraits } from './class-traits.ts'
import { instanceTypes } from './instance-types.ts'

const pairs = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    text
      .split(',')
      .filter((each) => each !== '')
      .map((each) => [each.slice(0, each.indexOf('=')), each.slice(each.indexOf('=') + 1)]),
  )

/** Returns the amounts in canonical form, without zero amounts. */
const amounts = (list: ResourceList): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(formatResources(parseResources(list))).filter(([, amount]) => amount !== '0'))

/** Corrects labels of upstream that are not valid label values: memory in exponent form, from 1,000 GiB on, and an empty CPU model. */
const corrected = (labels: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(labels)
      .filter(([, value]) => value !== '')
      .map(([key, value]) => [key, key === 'instance-memory' ? `${Number(value)}` : value]),
  )

/**
 * Recorded results of cloudpilot-ai/karpenter-provider-alibabacloud cb536aff for 60 instance types, each with three network settings. Each
 * line contains the network, type, capacity, overhead and, once for each type, the labels.
 * `providers/alibaba/docs/spec/alibaba.md#compared-with-upstream` lists the differences from Kerf.
 */
const recorded = readFileSync(new URL('upstream-types.tsv', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => {
    const [network = '', name = '', capacity = '', overhead = '', labels = ''] = line.split('\t')
    return { network, name, capacity: pairs(capacity), overhead: pairs(overhead), labels: corrected(pairs(labels)) }
  })

test.each(typeSettings)(
  '60 types with the network $network have the capacity and labels of upstream',
  ({ network, spec }) => {
    const market = {
      ...{ region: 'cn-hangzhou', zones: ['cn-hangzhou-h'], onDemandPrice: () => 1, spotPrice: () => undefined },
      isAvailable: (_type: unknown, _zone: string, capacityType: string) => capacityType === capacityTypes.onDemand,
    }
    const plugin = clusterNetwork(JSON.stringify({ Capabilities: { Network: network } }), '24')
    const types = instanceTypes(typeCases().map(describedEcsType), classTraits({ spec } as never), market, {
      network: plugin,
      vmMemoryOverheadPercent: 0.065,
    })
    expect(types.length).toBeGreaterThan(30)
    const own = types.map(({ name, capacity, overhead, requirements }) => ({
      ...{
        network,
        name,
        capacity: amounts(formatResources(capacity)),
        overhead: amounts(formatResources(overhead.kubeReserved ?? {})),
      },
      labels: Object.fromEntries(
        Object.entries(singleValues(requirements)).flatMap(([key, value]) =>
          key.startsWith(`${ALIBABA_GROUP}/`) || key === 'kubernetes.io/arch'
            ? [[key.replace(`${ALIBABA_GROUP}/`, ''), value] as const]
            : [],
        ),
      ),
    }))
    const names = new Set(own.map(({ name }) => name))
    const theirs = recorded
      .filter((each) => each.network === network && names.has(each.name))
      .map((each) => ({ ...each, capacity: amounts(each.capacity), overhead: amounts(each.overhead) }))
    const withLabels = theirs.some(({ labels }) => Object.keys(labels).length > 0)
    expect(withLabels ? own : own.map((each) => ({ ...each, labels: {} }))).toEqual(theirs)
  },
)
