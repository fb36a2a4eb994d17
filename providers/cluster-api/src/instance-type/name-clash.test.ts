import { formatResources, parseResources } from '@kerf/apis'
import type { RequirementSpec } from '@kerf/engine'
import { DeclaredPrices } from '@kerf/provider-contract'
import { describe, expect, test } from 'vitest'
import type { MachineDeployment } from '../objects/machine-deployment.ts'
import { annotatedDeployment, capacityAnnotations } from '../testing/deployment.ts'
import { launchChoices } from './launch-sources.ts'
import { describeProblem } from './problem.ts'
import { machineTypes } from './types-of.ts'

interface Wanted {
  readonly name: string
  readonly zone?: string
  readonly labels?: string
  readonly price?: string
  readonly cpu?: string
  readonly capacity?: Readonly<Record<string, string>>
  readonly max?: number
  readonly mayLaunch?: boolean
  readonly changes?: Partial<MachineDeployment>
}

/** Returns a MachineDeployment of the instance type `small`. The alphabetical order of the names is the order of creation. */
const member = ({ name, zone, labels, price, cpu = '2', capacity, max, mayLaunch = true, changes }: Wanted) => ({
  mayLaunch,
  mayDrift: true,
  deployment: annotatedDeployment(
    {
      ...capacityAnnotations({
        cpu,
        memory: '4Gi',
        ...capacity,
        labels: [
          'node.kubernetes.io/instance-type=small',
          ...(zone === undefined ? [] : [`topology.kubernetes.io/zone=${zone}`]),
          ...(labels === undefined ? [] : [labels]),
        ].join(),
      }),
      ...(price === undefined ? {} : { 'kerf.sh/hourly-price': price }),
      ...(max === undefined ? {} : { 'cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size': String(max) }),
    },
    { name, createdAt: name.charCodeAt(0), ...changes },
  ),
})
const merge = (...wanted: readonly Wanted[]) => machineTypes(wanted.map(member))
const offeringsOf = ({ types }: ReturnType<typeof machineTypes>) =>
  types.flatMap(({ name, offerings }) =>
    offerings.map(({ requirements, price, available }) => [
      name,
      ...requirements.map(({ operator, values }) => values?.join() ?? operator),
      price,
      available,
    ]),
  )
const choose = (types: ReturnType<typeof machineTypes>, wanted: readonly RequirementSpec[] = []) =>
  launchChoices(types, wanted, {}).map(({ type, source }) => `${type.name} from ${source.deployment.name}`)
const within = (key: string, ...values: string[]): RequirementSpec => ({ key, operator: 'In', values })
const ZONE = 'topology.kubernetes.io/zone'

describe('several deployments with one type name (providers/cluster-api/docs/spec/cluster-api.md#several-deployments-with-one-type-name)', () => {
  test('in several zones they are one type with an offering for each', () => {
    const merged = merge({ name: 'b', zone: 'rack-2', price: '0.2' }, { name: 'a', zone: 'rack-1', price: '0.1' })
    expect(offeringsOf(merged)).toEqual([
      ['small', 'rack-1', 'on-demand', 0.1, true],
      ['small', 'rack-2', 'on-demand', 0.2, true],
    ])
    expect(merged.types[0]?.requirements.find(({ key }) => key === ZONE)).toEqual(within(ZONE, 'rack-1', 'rack-2'))
    expect(merged.problems).toEqual([])
  })

  test('a declared price of a zone decides which one is launched first', () => {
    const merged = merge({ name: 'b', zone: 'rack-2', price: '0.2' }, { name: 'a', zone: 'rack-1', price: '0.1' })
    const declared = new DeclaredPrices()
    declared.replace([{ instanceType: 'small', capacityType: 'on-demand', zone: 'rack-1', price: 0.5, asOf: 0 }])
    expect(choose(merged)).toEqual(['small from a', 'small from b'])
    expect(launchChoices(merged, [], {}, declared).map(({ source }) => source.deployment.name)).toEqual(['b', 'a'])
  })

  test('spot and on-demand are two offerings, and spot is launched first', () => {
    const merged = merge(
      { name: 'a', zone: 'r', price: '0.1' },
      { name: 'b', zone: 'r', price: '0.1', labels: 'karpenter.sh/capacity-type=spot' },
    )
    expect(offeringsOf(merged)).toEqual([
      ['small', 'r', 'on-demand', 0.1, true],
      ['small', 'r', 'spot', 0.1, true],
    ])
    expect(choose(merged)).toEqual(['small from b', 'small from a'])
  })

  test('in one zone they are one offering, available while any of them is; machines come from an available one', () => {
    const full = { name: 'a', zone: 'r', max: 3 }
    expect(offeringsOf(merge(full, { name: 'b', zone: 'r' }))).toEqual([['small', 'r', 'on-demand', undefined, true]])
    expect(choose(merge(full, { name: 'b', zone: 'r' }, { name: 'c', zone: 'r' }))).toEqual([
      'small from b',
      'small from c',
    ])
    expect(offeringsOf(merge(full, { name: 'b', zone: 'r', mayLaunch: false }))).toEqual([
      ['small', 'r', 'on-demand', undefined, false],
    ])
  })

  test('on different infrastructures they are still one type', () => {
    const on = (kind: string) => ({ infrastructure: { group: 'i', kind, namespace: 'default', name: 'x' } })
    const merged = merge(
      { name: 'a', zone: 'r', changes: on('DevMachineTemplate') },
      { name: 'b', zone: 's', changes: on('MetalTemplate') },
    )
    expect(offeringsOf(merged).map(([, zone]) => zone)).toEqual(['r', 's'])
    expect(merged.problems).toEqual([])
  })

  test('in two regions their offerings have the region', () => {
    const region = (name: string) => `topology.kubernetes.io/region=${name}`
    const merged = merge(
      { name: 'a', zone: 'r', labels: region('north') },
      { name: 'b', zone: 'r', labels: region('south') },
    )
    expect(offeringsOf(merged)).toEqual([
      ['small', 'r', 'on-demand', 'north', undefined, true],
      ['small', 'r', 'on-demand', 'south', undefined, true],
    ])
    expect(choose(merged, [within('topology.kubernetes.io/region', 'south')])).toEqual(['small from b'])
  })
})

describe('with conflicts', () => {
  test('in capacity: the type has the smallest amount of each resource, and the problem of the younger one names both', () => {
    const merged = merge(
      { name: 'b', cpu: '1', capacity: { 'ephemeral-disk': '10Gi' } },
      { name: 'a', capacity: { memory: '2Gi' } },
    )
    expect(merged.types.map(({ capacity }) => formatResources(capacity))).toEqual([
      { cpu: '1', memory: '2Gi', pods: '110' },
    ])
    expect(choose(merged)).toEqual(['small from a', 'small from b'])
    expect(merged.problems.map(describeProblem)).toEqual([
      'MachineDeployment default/b: capacity.cluster-autoscaler.kubernetes.io/cpu is "1": MachineDeployment default/a has the same instance type "small" and has 2; correct one of the two, set a different node.kubernetes.io/instance-type in the labels annotation of one, or select them with different ClusterAPINodeClasses. Until then the instance type has the smaller amount.',
      'MachineDeployment default/b: capacity.cluster-autoscaler.kubernetes.io/ephemeral-disk is "10Gi": MachineDeployment default/a has the same instance type "small" and has none; correct one of the two, set a different node.kubernetes.io/instance-type in the labels annotation of one, or select them with different ClusterAPINodeClasses. Until then the instance type has the smaller amount.',
      'MachineDeployment default/b: capacity.cluster-autoscaler.kubernetes.io/memory is "4Gi": MachineDeployment default/a has the same instance type "small" and has 2Gi; correct one of the two, set a different node.kubernetes.io/instance-type in the labels annotation of one, or select them with different ClusterAPINodeClasses. Until then the instance type has the smaller amount.',
    ])
  })

  test('in a label: the oldest one is offered, and nothing is launched from the other, whose zone is still known', () => {
    const tier = 'example.com/tier=db'
    const merged = merge({ name: 'b', zone: 's', labels: tier }, { name: 'a', zone: 'r' })
    expect(offeringsOf(merged)).toEqual([
      ['small', 'r', 'on-demand', undefined, true],
      ['small', 's', 'on-demand', undefined, false],
    ])
    expect(choose(merged)).toEqual(['small from a'])
    expect(merged.problems).toMatchObject([
      { reason: 'NameClash', consequence: 'no-launch', name: 'b', key: 'example.com/tier', found: 'db' },
    ])
    expect(merged.problems[0]?.detail).toContain('MachineDeployment default/a')
    const other = merge({ name: 'b', zone: 's' }, { name: 'a', zone: 'r', labels: tier })
    expect(choose(other)).toEqual(['small from a'])
    expect(other.problems[0]).toMatchObject({ name: 'b', key: 'example.com/tier' })
  })

  test('in price: the higher one counts, the cheaper one is launched first', () => {
    const merged = merge({ name: 'b', zone: 'r', price: '0.1' }, { name: 'a', zone: 'r', price: '0.3' })
    expect(offeringsOf(merged)).toEqual([['small', 'r', 'on-demand', 0.3, true]])
    expect(choose(merged)).toEqual(['small from b', 'small from a'])
    expect(merged.problems).toMatchObject([{ reason: 'PriceClash', consequence: 'dearer', name: 'b', found: '0.1' }])
  })

  test('the order of the input does not matter', () => {
    const wanted = [
      { name: 'a', zone: 'r', price: '0.1' },
      { name: 'b', zone: 's', cpu: '1' },
      { name: 'c', zone: 'r', price: '0.2' },
      { name: 'd', labels: 'example.com/tier=db' },
    ]
    expect(merge(...wanted.toReversed())).toEqual({ ...merge(...wanted), problems: expect.anything() })
    expect(new Set(merge(...wanted.toReversed()).problems)).toEqual(new Set(merge(...wanted).problems))
  })
})

describe('the order of launch sources', () => {
  const merged = merge(
    { name: 'a', zone: 'r', price: '0.2' },
    { name: 'b', zone: 's', price: '0.1' },
    { name: 'c', zone: 't' },
    { name: 'd' },
  )

  test('the cheapest first, unknown prices last', () => {
    expect(choose(merged)).toEqual(['small from b', 'small from a', 'small from c', 'small from d'])
  })

  test('among unknown prices the smallest machine first, whatever its name', () => {
    const large = { name: 'a', cpu: '8', labels: 'node.kubernetes.io/instance-type=a-large' }
    expect(choose(merge(large, { name: 'b' }))).toEqual(['small from b', 'a-large from a'])
  })

  test('only what the claim allows; a deployment without zone matches no zone', () => {
    expect(choose(merged, [within(ZONE, 'r', 't')])).toEqual(['small from a', 'small from c'])
    expect(choose(merged, [{ key: ZONE, operator: 'NotIn', values: ['s'] }])).toEqual([
      'small from a',
      'small from c',
      'small from d',
    ])
    expect(choose(merged, [{ key: ZONE, operator: 'Exists' }])).toEqual([
      'small from b',
      'small from a',
      'small from c',
    ])
    expect(choose(merged, [within('node.kubernetes.io/instance-type', 'big')])).toEqual([])
  })

  test('only machines that fit the requests', () => {
    const [type] = merged.types
    expect(launchChoices(merged, [], type?.capacity ?? {})).toHaveLength(4)
    expect(launchChoices(merged, [], parseResources({ cpu: '2001m' }))).toEqual([])
  })

  test('the labels of the Node are included; an unknown zone has no label', () => {
    const zones = launchChoices(merged, [], {}).map(({ source }) => source.labels[ZONE])
    expect(zones).toEqual(['s', 'r', 't', undefined])
    expect(launchChoices(merged, [], {})[0]?.source.labels).toEqual({
      'node.cluster.x-k8s.io/tier': 'web',
      'node.kubernetes.io/instance-type': 'small',
      [ZONE]: 's',
      'karpenter.sh/capacity-type': 'on-demand',
    })
  })
})
