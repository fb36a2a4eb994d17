import { type Pod, type PodSpec, parseQuantity } from '@kerf/apis'
import { describe, expect, test } from 'vitest'
import { type ClusterSnapshot, HOURLY_COST, type PoolAccess } from '../snapshot.ts'
import { CAPACITY_TYPE, type Cluster, cluster, HOST, instanceType, pod } from '../testing/cluster-builders.ts'
import { explainPod } from '../testing/core-labels.ts'

// The pools have types of 1, 2, 4 and 16 CPUs with 4Gi per CPU, on-demand at $0.1 per CPU in the first zone (1 and 2 % more in the others).

const amounts = (texts: Readonly<Record<string, string>>) =>
  new Map(Object.entries(texts).map(([name, text]) => [name, parseQuantity(text)]))
const ceilings = (most: Readonly<Record<string, string>>, free: Readonly<Record<string, string>>) => ({
  ceilings: { most: amounts(most), free: amounts(free), surge: 0 },
})

const remediesOf = ({ snapshot }: Pick<Cluster, 'snapshot'>, of: Pod, batch: readonly Pod[] = [of]) =>
  explainPod(snapshot, batch, of).remedies

const onDemand = [{ key: CAPACITY_TYPE, operator: 'In' as const, values: ['on-demand'] }]
const general = cluster().pool('general', { requirements: onDemand })
const inNamespace = (namespace: string, spec: Partial<PodSpec> = {}): Pod => {
  const made = pod('a', { spec })
  return { ...made, metadata: { ...made.metadata, namespace } }
}

describe('a ceiling', () => {
  test.each<[string, Readonly<Record<string, string>>, Readonly<Record<string, string>>, string]>([
    ['on nodes', { nodes: '2' }, { nodes: '0' }, 'raise spec.ceilings.nodes of ClusterPolicy default to 3'],
    [
      'on a resource',
      { cpu: '6' },
      { cpu: '500m' },
      // 5.5 CPUs are in use, and the cheapest type for the pod has 4.
      'raise spec.ceilings.resources.cpu of ClusterPolicy default to 10',
    ],
    [
      'on the price',
      { [HOURLY_COST]: '1' },
      { [HOURLY_COST]: '100m' },
      // $0.90 is in use, and the cheapest type costs up to $0.408.
      'raise spec.ceilings.usdPerHour of ClusterPolicy default to 1.31',
    ],
    [
      'that is exceeded',
      { nodes: '2', cpu: '100' },
      { nodes: '-3', cpu: '90' },
      'raise spec.ceilings.nodes of ClusterPolicy default to 6',
    ],
    [
      'together with another one',
      { nodes: '1', cpu: '1' },
      { nodes: '0', cpu: '0' },
      'raise several ceilings of ClusterPolicy default: spec.ceilings.nodes: 2, spec.ceilings.resources.cpu: 5',
    ],
  ])('%s is raised to the least round amount that is enough', (_name, most, free, text) => {
    const waits = pod('a', { cpu: '3' })
    expect(remediesOf(general.with(ceilings(most, free)), waits)).toEqual([{ kind: 'raise-ceiling', text }])
  })

  test('the amount is enough for all pods of the batch', () => {
    const spec = {
      affinity: {
        podAntiAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            { topologyKey: HOST, labelSelector: { matchLabels: { app: 'a' } } },
          ],
        },
      },
    }
    const batch = ['a-0', 'a-1', 'a-2'].map((name) => pod(name, { spec }))
    const [, , last = pod('none')] = batch
    const texts = remediesOf(general.with(ceilings({ nodes: '2' }, { nodes: '1' })), last, batch).map(
      ({ text }) => text,
    )
    expect(texts).toContain('raise spec.ceilings.nodes of ClusterPolicy default to 4')
  })

  test('on the price must be removed if the nodes have no price', () => {
    const type = instanceType('m-1', 1, '4Gi')
    const types = [{ ...type, offerings: type.offerings.map((each) => ({ ...each, price: undefined })) }]
    const unpriced = cluster()
      .pool('general', { types })
      .with(ceilings({ [HOURLY_COST]: '5' }, { [HOURLY_COST]: '5' }))
    expect(remediesOf(unpriced, pod('a'))).toEqual([
      { kind: 'raise-ceiling', text: 'remove spec.ceilings.usdPerHour from ClusterPolicy default' },
    ])
  })

  test('is no remedy for a pod that no node fits', () => {
    expect(remediesOf(general.with(ceilings({ nodes: '1' }, { nodes: '0' })), pod('a', { cpu: '90' }))).toEqual([])
  })
})

test('a NodePool that sleeps is woken', () => {
  const [option] = general.snapshot.pools
  const asleep = general.with({ pools: option === undefined ? [] : [{ ...option, sleepsUntil: '07:00 UTC' }] })
  const text = 'wake NodePool general, which sleeps until 07:00 UTC, with its annotation kerf.sh/awake-until'
  expect(remediesOf(asleep, pod('a'))).toEqual([{ kind: 'wake', text }])
  expect(remediesOf(asleep, pod('a', { cpu: '90' }))).toEqual([])
})

describe('a NodePool that is not open to the pod', () => {
  const restricted = (access: PoolAccess): Partial<ClusterSnapshot> => ({
    access: new Map([['general', access]]),
    namespaces: [
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'b', labels: { team: 'b', tier: 'gold', old: 'yes' } } },
    ],
  })

  test('opens if the namespace has the missing labels', () => {
    const namespaceSelector = {
      matchLabels: { team: 'a', tier: 'gold' },
      matchExpressions: [{ key: 'old', operator: 'DoesNotExist' as const }],
    }
    expect(remediesOf(general.with(restricted({ namespaceSelector })), inNamespace('b'))).toEqual([
      { kind: 'open-access', text: 'label namespace b to match !old,team=a, which NodePool general requires' },
    ])
  })

  test('opens if the pod has another scheduler name', () => {
    expect(remediesOf(general.with(restricted({ schedulerNames: ['volcano', 'yunikorn'] })), inNamespace('b'))).toEqual(
      [{ kind: 'open-access', text: 'set spec.schedulerName to volcano, which NodePool general requires' }],
    )
  })

  test('needs more than one change if the namespace and the scheduler are wrong', () => {
    const both = { namespaceSelector: { matchLabels: { team: 'a' } }, schedulerNames: ['volcano'] }
    expect(remediesOf(general.with(restricted(both)), inNamespace('b'))).toEqual([])
  })
})
