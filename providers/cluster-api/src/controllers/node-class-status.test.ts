import { findCondition, groupVersion, karpenterKinds, type NodeOverlay, type NodePool } from '@kerf/apis'
import { type DeclaredPrice, declaredPrices, NotKnownYetError } from '@kerf/provider-contract'
import { FixedInformers, SeededRandom, VirtualClock } from '@kerf/runtime'
import { installCustomResources, RecordingEventRecorder } from '@kerf/runtime/testing'
import { SandboxApi } from '@kerf/sandbox'
import { condition, type NodePoolOptions, nodePool } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import { machineTypes } from '../instance-type/types-of.ts'
import type { ManagementChange } from '../management/management-cluster.ts'
import type { ManagementProblem } from '../management/management-problem.ts'
import type { Membership } from '../members/member.ts'
import type { MemberProblem } from '../members/member-problem.ts'
import {
  type ClusterAPINodeClass,
  clusterApiNodeClassKind,
  clusterApiNodeClassResource,
} from '../node-class/cluster-api-node-class.ts'
import type { MachineDeployment } from '../objects/machine-deployment.ts'
import { clusterApiNodeClass } from '../testing/cluster-api-node-class.ts'
import { annotatedDeployment, capacityAnnotations } from '../testing/deployment.ts'
import { nodeClassStatus } from './node-class-status.ts'

const KIND = clusterApiNodeClassKind
const never = new AbortController().signal
const PRICE = { 'kerf.sh/hourly-price': '0.1' }
const healthy = (name: string, more: Readonly<Record<string, string>> = PRICE): MachineDeployment =>
  annotatedDeployment(
    {
      ...capacityAnnotations({ cpu: '2', memory: '4Gi', labels: `node.kubernetes.io/instance-type=${name}` }),
      ...more,
    },
    { name },
  )
const of = (deployments: readonly MachineDeployment[], problems: readonly MemberProblem[] = []): Membership => ({
  members: deployments.map((deployment) => ({ deployment, mayLaunch: true, mayDrift: true })),
  problems,
})
const away: ManagementProblem = {
  reason: 'ManagementClusterUnreachable',
  detail: 'the management cluster (https://there) has not responded since 10:00: connection refused',
  remedy: 'check that it can be reached',
}
const problemWith = (problem: Partial<MemberProblem>): MemberProblem => ({
  reason: 'RollingUpdateReplacesNodes',
  consequence: 'no-drift',
  object: { kind: 'MachineDeployment', namespace: 'default', name: 'a' },
  detail: 'its rollout strategy is RollingUpdate',
  remedy: 'set spec.rollout.strategy.type to OnDelete',
  ...problem,
})

/** Creates a node class in an API server, with an adjustable state of the management cluster. */
const start = async () => {
  const clock = new VirtualClock()
  const client = new SandboxApi({ clock, random: new SeededRandom(1) }).client()
  await installCustomResources(client, [clusterApiNodeClassResource])
  await client.create(KIND, clusterApiNodeClass('default'))
  const events = new RecordingEventRecorder()
  const harness = {
    membership: of([healthy('a')]) as Membership | undefined,
    management: [] as readonly ManagementProblem[],
    overlays: [] as readonly NodeOverlay[],
    declared: [] as readonly DeclaredPrice[],
    pools: [] as readonly NodePool[],
    events,
    client,
    read: async (): Promise<ClusterAPINodeClass> => await client.get(KIND, { name: 'default' }),
    reconcile: async (): Promise<ClusterAPINodeClass> => {
      await controllerFor(await harness.read()).reconcile('default', never)
      return await harness.read()
    },
    messages: async () => {
      const { status } = await harness.reconcile()
      return Object.fromEntries(
        (status?.conditions ?? []).map(({ type, status: value, reason, message }) => [
          type,
          [value, reason, message].join(': '),
        ]),
      )
    },
  }
  const informersWith = (nodeClass: ClusterAPINodeClass): FixedInformers => {
    const informers = new FixedInformers([nodeClass, ...harness.pools])
    declaredPrices(informers).replace(harness.declared)
    return informers
  }
  const controllerFor = (nodeClass: ClusterAPINodeClass) =>
    nodeClassStatus({
      context: { client, informers: informersWith(nodeClass), clock, events },
      management: { problems: () => harness.management, onChange: () => () => {} },
      membersOf: () => {
        if (harness.membership === undefined) throw new NotKnownYetError('the management cluster does not answer')
        return harness.membership
      },
      typesOf: (_, { members }) => machineTypes(members),
      overlays: new FixedInformers(harness.overlays).of(karpenterKinds.NodeOverlay),
    })
  return harness
}

describe('the conditions of a class (providers/cluster-api/docs/spec/cluster-api.md#conditions)', () => {
  test('with healthy deployments and prices all are True, without messages', async () => {
    const harness = await start()
    expect(await harness.messages()).toEqual({
      Ready: 'True: Ready: ',
      MachineDeploymentsReady: 'True: MachineDeploymentsReady: ',
      MembersClear: 'True: MembersClear: ',
      PricesKnown: 'True: PricesKnown: ',
    })
    expect(harness.events.events).toEqual([])
  })

  test('nothing is written while nothing changes', async () => {
    const harness = await start()
    const first = await harness.reconcile()
    expect((await harness.reconcile()).metadata.resourceVersion).toBe(first.metadata.resourceVersion)
  })

  test('a class that selects nothing is not ready, and its message says what to do', async () => {
    const harness = await start()
    harness.membership = of(
      [],
      [
        problemWith({
          reason: 'NothingSelected',
          consequence: 'report-only',
          object: { kind: 'ClusterAPINodeClass', name: 'default' },
          detail: 'no MachineDeployment has the label',
          remedy: 'label one',
        }),
      ],
    )
    const messages = await harness.messages()
    expect(messages['MachineDeploymentsReady']).toBe(
      'False: NothingSelected: ClusterAPINodeClass default: no MachineDeployment has the label; label one.',
    )
    expect(messages['Ready']).toBe('False: UnhealthyDependents: MachineDeploymentsReady=False')
  })

  test('one bad deployment leaves the class ready; MembersClear names it', async () => {
    const harness = await start()
    harness.membership = of([
      healthy('a'),
      { ...healthy('b'), annotations: { ...healthy('b').annotations, ...capacityAnnotations({ cpu: 'many' }) } },
    ])
    const messages = await harness.messages()
    expect(messages['Ready']).toBe('True: Ready: ')
    expect(messages['MembersClear']).toContain('False: CapacityUnreadable: MachineDeployment default/b: ')
    expect(messages['MembersClear']).toContain('write a Kubernetes quantity')
  })

  test('if no deployment has a type, the class is not ready, and each deployment is named', async () => {
    const harness = await start()
    harness.membership = of(['a', 'b'].map((name) => ({ ...healthy(name), annotations: PRICE })))
    const ready = (await harness.messages())['MachineDeploymentsReady']
    expect(ready).toContain('False: NoInstanceTypes: ')
    for (const name of ['default/a', 'default/b']) expect(ready).toContain(`MachineDeployment ${name}: `)
  })

  test('several problems are all named; those that may be intended do not make it False', async () => {
    const harness = await start()
    harness.membership = of(
      [healthy('a')],
      [problemWith({}), problemWith({ reason: 'Paused', consequence: 'no-launch', detail: 'it is paused' })],
    )
    expect((await harness.messages())['MembersClear']).toBe(
      'False: SeveralProblems: MachineDeployment default/a: its rollout strategy is RollingUpdate; set spec.rollout.strategy.type to OnDelete. Until then its nodes do not drift. MachineDeployment default/a: it is paused; set spec.rollout.strategy.type to OnDelete. Until then no machine is launched from it.',
    )
    harness.membership = of(
      [healthy('a')],
      [
        problemWith({
          reason: 'ScaledByOthers',
          consequence: 'report-only',
          detail: '2 of its 3 replicas are of others',
        }),
      ],
    )
    expect((await harness.messages())['MembersClear']).toBe(
      'True: MembersClear: MachineDeployment default/a: 2 of its 3 replicas are of others; set spec.rollout.strategy.type to OnDelete.',
    )
  })

  test('a long message is truncated, and says how much is missing', async () => {
    const harness = await start()
    harness.membership = of(Array.from({ length: 40 }, (_, i) => ({ ...healthy(`d-${i}`), annotations: PRICE })))
    const message = findCondition(await harness.reconcile(), 'MembersClear')?.message ?? ''
    expect(message.length).toBeLessThan(2_100)
    expect(message).toMatch(/ And \d+ more\.$/)
  })
})

describe('prices', () => {
  test('unknown prices are named with both remedies; the class stays ready', async () => {
    const harness = await start()
    harness.membership = of([healthy('a', {}), healthy('b')])
    const messages = await harness.messages()
    expect(messages['Ready']).toBe('True: Ready: ')
    expect(messages['PricesKnown']).toBe(
      'False: PricesUnknown: The price of MachineDeployment default/a is unknown: annotate each with kerf.sh/hourly-price, in US dollars per hour and machine, or give the instance type a a price with the price book of the ClusterPolicy or a NodeOverlay. Until then only their empty nodes are removed, because the saving of a move is unknown.',
    )
  })

  test.each([
    ['the price book says it', 'on-demand', 'True'],
    ['the price book only has a spot price', 'spot', 'False'],
  ] as const)('%s', async (_, capacityType, expected) => {
    const harness = await start()
    harness.membership = of([healthy('a', {})])
    harness.declared = [{ instanceType: 'a', capacityType, price: 0.2, asOf: 0 }]
    expect(findCondition(await harness.reconcile(), 'PricesKnown')?.status).toBe(expected)
  })

  test.each([
    ['a NodeOverlay in force says it', { conditions: [condition('ValidationSucceeded', 'True')] }, 'a', 'True'],
    ['a NodeOverlay is not in force', { conditions: [condition('ValidationSucceeded', 'False')] }, 'a', 'False'],
    ['a NodeOverlay is of another type', { conditions: [condition('ValidationSucceeded', 'True')] }, 'b', 'False'],
  ])('%s', async (_, status, typeName, expected) => {
    const harness = await start()
    harness.membership = of([healthy('a', {})])
    const requirements = [{ key: 'node.kubernetes.io/instance-type', operator: 'In' as const, values: [typeName] }]
    harness.overlays = [
      {
        apiVersion: groupVersion(karpenterKinds.NodeOverlay),
        kind: 'NodeOverlay',
        metadata: { name: 'prices' },
        spec: { requirements, price: '0.2' },
        status,
      },
    ]
    expect(findCondition(await harness.reconcile(), 'PricesKnown')?.status).toBe(expected)
  })

  const overlayOf = (name: string, spec: Partial<NodeOverlay['spec']>): NodeOverlay => ({
    apiVersion: groupVersion(karpenterKinds.NodeOverlay),
    kind: 'NodeOverlay',
    metadata: { name },
    spec: { requirements: [], ...spec },
    status: { conditions: [condition('ValidationSucceeded', 'True')] },
  })
  const forPool = (name: string) => [{ key: 'karpenter.sh/nodepool', operator: 'In' as const, values: [name] }]
  const ofClass = (name: string, more: Partial<NodePoolOptions> = {}) =>
    nodePool(name, {
      templateSpec: { nodeClassRef: { group: KIND.group, kind: KIND.kind, name: 'default' } },
      ...more,
    })
  const other = [{ key: 'node.kubernetes.io/instance-type', operator: 'In' as const, values: ['b'] }]
  test.each<[string, readonly NodePool[], readonly NodeOverlay[], 'True' | 'False']>([
    [
      'the one pool has an overlay',
      [ofClass('x')],
      [overlayOf('o', { requirements: forPool('x'), price: '1' })],
      'True',
    ],
    [
      'one of two pools has',
      [ofClass('x'), ofClass('y')],
      [overlayOf('o', { requirements: forPool('x'), price: '1' })],
      'False',
    ],
    [
      'the other pool does not launch the type',
      [ofClass('x'), ofClass('y', { requirements: other })],
      [overlayOf('o', { requirements: forPool('x'), price: '1' })],
      'True',
    ],
    [
      'the other pool is of another class',
      [ofClass('x'), nodePool('y')],
      [overlayOf('o', { requirements: forPool('x'), price: '1' })],
      'True',
    ],
    [
      'there is no pool yet, and the overlay is of one',
      [],
      [overlayOf('o', { requirements: forPool('x'), price: '1' })],
      'False',
    ],
    ['there is no pool yet, and the overlay is of all', [], [overlayOf('o', { price: '1' })], 'True'],
    [
      'the overlay is of a label of the pool',
      [ofClass('x', { templateMetadata: { labels: { team: 't' } } })],
      [overlayOf('o', { requirements: [{ key: 'team', operator: 'In', values: ['t'] }], price: '1' })],
      'True',
    ],
    [
      'the overlay is of a label that nothing has',
      [ofClass('x')],
      [overlayOf('o', { requirements: [{ key: 'team', operator: 'In', values: ['t'] }], price: '1' })],
      'False',
    ],
    [
      'a heavier one adjusts what is unknown',
      [ofClass('x')],
      [overlayOf('o', { price: '1' }), overlayOf('p', { priceAdjustment: '+10%', weight: 2 })],
      'False',
    ],
    [
      'a lighter one adjusts',
      [ofClass('x')],
      [overlayOf('o', { price: '1', weight: 2 }), overlayOf('p', { priceAdjustment: '+10%' })],
      'True',
    ],
  ])('a NodeOverlay gives exactly these prices: %s', async (_, pools, overlays, expected) => {
    const harness = await start()
    harness.membership = of([healthy('a', {})])
    harness.pools = pools
    harness.overlays = overlays
    expect(findCondition(await harness.reconcile(), 'PricesKnown')?.status).toBe(expected)
  })

  test('an unreadable price is a problem of prices, not of members', async () => {
    const harness = await start()
    harness.membership = of([healthy('a', { 'kerf.sh/hourly-price': 'free' })])
    const messages = await harness.messages()
    expect(messages['PricesKnown']).toContain('kerf.sh/hourly-price is "free"')
    expect(messages['MembersClear']).toBe('True: MembersClear: ')
  })
})

describe('a management cluster that does not answer', () => {
  test('a ready class stays ready, with cause and remedy in the message, and one event', async () => {
    const harness = await start()
    await harness.reconcile()
    harness.membership = undefined
    harness.management = [away]
    const ready = (await harness.messages())['MachineDeploymentsReady']
    expect(ready).toBe(
      'True: MachineDeploymentsReady: continuing with the previous result: the management cluster (https://there) has not responded since 10:00: connection refused; check that it can be reached.',
    )
    await harness.reconcile()
    await harness.reconcile()
    expect((await harness.messages())['MachineDeploymentsReady']).toBe(ready)
    expect(harness.events.reasons()).toEqual(['MachineDeploymentsReady'])
    harness.management = []
    harness.membership = of([healthy('a')])
    expect((await harness.messages())['MachineDeploymentsReady']).toBe('True: MachineDeploymentsReady: ')
  })

  test('earlier problems stay in the message', async () => {
    const harness = await start()
    harness.membership = of([{ ...healthy('a'), annotations: {} }])
    const before = await harness.messages()
    harness.membership = undefined
    harness.management = [away]
    const after = await harness.messages()
    expect(after['PricesKnown']).toBe(before['PricesKnown'])
    expect(after['MembersClear']).toBe(before['MembersClear'])
    expect(before['MembersClear']).toContain('False: CapacityMissing: MachineDeployment default/a: ')
  })

  test('a new class is Unknown, so that its NodeClaims wait', async () => {
    const harness = await start()
    harness.membership = undefined
    harness.management = [away]
    const messages = await harness.messages()
    expect(messages['Ready']).toContain('Unknown: ')
    expect(messages['MachineDeploymentsReady']).toContain('Unknown: ManagementClusterUnreachable: ')
  })

  test('if our own Cluster is unknown, a class is not ready until a user sets it', async () => {
    const harness = await start()
    await harness.reconcile()
    harness.membership = undefined
    harness.management = [{ reason: 'OwnClusterUnproved', detail: 'no Machine is a Node here', remedy: 'set it' }]
    expect((await harness.messages())['MachineDeploymentsReady']).toBe(
      'False: OwnClusterUnproved: no Machine is a Node here; set it.',
    )
  })
})

test('each class is reconciled when the management cluster changes', async () => {
  const listeners: ((change: ManagementChange) => void)[] = []
  const clock = new VirtualClock()
  const controller = nodeClassStatus({
    context: {
      client: new SandboxApi({ clock, random: new SeededRandom(1) }).client(),
      informers: new FixedInformers([clusterApiNodeClass('a'), clusterApiNodeClass('b')]),
      clock,
      events: new RecordingEventRecorder(),
    },
    management: {
      problems: () => [],
      onChange: (listener) => {
        listeners.push(listener)
        return () => {}
      },
    },
    membersOf: () => of([]),
    typesOf: (_, { members }) => machineTypes(members),
  })
  const keys: string[] = []
  controller.subscribe?.((key) => keys.push(key))
  for (const listener of listeners) listener({ kind: 'problems' })
  expect(keys).toEqual(['a', 'b'])
})
