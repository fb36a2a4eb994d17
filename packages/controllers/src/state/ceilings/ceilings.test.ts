import {
  type ClusterPolicy,
  karpenterKinds,
  kinds,
  labels,
  type NodeClaim,
  parseResources,
  policyKinds,
} from '@kerf/apis'
import { HOURLY_COST, type InstanceType, NODES } from '@kerf/engine'
import { node, nodeClaim, nodePool, propertyRuns } from '@kerf/testing'
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { manualState } from '../../testing/by-hand/manual-state.ts'
import { Ceilings } from './ceilings.ts'
import { plannedCeilings } from './planned-ceilings.ts'

// docs/spec/policies.md#ceilings

type CeilingSpec = NonNullable<ClusterPolicy['spec']['ceilings']>

const policy = (ceilings: CeilingSpec, generation = 1): ClusterPolicy => ({
  apiVersion: 'kerf.sh/v1alpha1',
  kind: 'ClusterPolicy',
  metadata: { name: 'default', uid: 'p', generation },
  spec: { ceilings },
})

const instanceType = (name: string, cpu: number, price: number): InstanceType => ({
  name,
  requirements: [{ key: labels.instanceType, operator: 'In', values: [name] }],
  capacity: parseResources({ cpu: String(cpu) }),
  overhead: {},
  offerings: [
    {
      requirements: [
        { key: labels.zone, operator: 'In', values: ['z'] },
        { key: labels.capacityType, operator: 'In', values: ['on-demand'] },
      ],
      price,
      available: true,
    },
  ],
})

const start = async (ceilings: CeilingSpec) => {
  let types: readonly InstanceType[] = [instanceType('small', 2, 0.1), instanceType('large', 8, 0.4)]
  const harness = manualState({ provider: { instanceTypes: async () => types } })
  const { informers, state } = harness
  informers.put(karpenterKinds.NodePool, nodePool('default'))
  informers.put(policyKinds.ClusterPolicy, policy(ceilings))
  const load = async (): Promise<void> => await state.ceilings.load(new AbortController().signal)
  await load()
  /** Adds a NodeClaim that has an instance, and its Node. */
  const run = (name: string, size: 'small' | 'large' = 'small'): void => {
    const own = { [labels.instanceType]: size, [labels.zone]: 'z', [labels.capacityType]: 'on-demand' }
    const capacity = { cpu: size === 'small' ? '2' : '8' }
    informers.put(karpenterKinds.NodeClaim, nodeClaim(name, { providerID: `kwok://${name}`, capacity, labels: own }))
    informers.put(kinds.Node, node(name, { pool: 'default', providerID: `kwok://${name}`, capacity, labels: own }))
  }
  const change = async (next: readonly InstanceType[]): Promise<void> => {
    types = next
    await load()
  }
  return { ...harness, load, run, change }
}

const cpu = (amount: number): bigint => BigInt(amount) * 1_000_000_000n

const large = { nodes: 1_000, resources: { cpu: 10_000 }, usdPerHour: '500' }

test('creating claims does not cause the nodes to be read again', async () => {
  const { state, run, informers, load } = await start(large)
  for (let number = 0; number < 300; number++) run(`n${number}`)
  state.ceilings.use()
  const views = vi.spyOn(state, 'viewOf')
  const unlaunched = vi.spyOn(state, 'unlaunched', 'get')
  for (let number = 0; number < 50; number++) {
    await load()
    const release = state.ceilings.reserve(nodeClaim(`c${number}`))
    state.recordCreated(nodeClaim(`c${number}`))
    release()
    // The policy controller writes the status of the policy while claims are created.
    informers.put(policyKinds.ClusterPolicy, policy(large))
  }
  expect(state.ceilings.use()?.used).toEqual(
    new Map([
      [NODES, cpu(350)],
      ['cpu', cpu(300 * 2 + 50 * 8)],
      [HOURLY_COST, cpu(50)],
    ]),
  )
  expect(views.mock.calls.length).toBe(0)
  expect(unlaunched.mock.calls.length).toBe(0)
  // After a change of a node, only this node is read again.
  run('n7', 'large')
  expect(state.ceilings.use()?.used.get('cpu')).toBe(cpu(299 * 2 + 8 + 50 * 8))
  expect(views.mock.calls.length).toBe(1)
})

describe('a claim that is being created', () => {
  test('counts towards a ceiling that is added to the policy later', async () => {
    const { state, informers } = await start({ nodes: 5 })
    state.ceilings.reserve(nodeClaim('c'))
    informers.put(policyKinds.ClusterPolicy, policy({ nodes: 5, resources: { cpu: 20 } }, 2))
    expect(state.ceilings.use()?.free).toEqual(
      new Map([
        [NODES, cpu(4)],
        ['cpu', cpu(12)],
      ]),
    )
  })

  test('keeps its reserved amounts if its largest instance type is withdrawn', async () => {
    const { state, change } = await start({ resources: { cpu: 20 } })
    const release = state.ceilings.reserve(nodeClaim('c'))
    await change([instanceType('small', 2, 0.1)])
    expect(state.ceilings.use()?.free.get('cpu')).toBe(cpu(12))
    release()
    expect(state.ceilings.use()?.free.get('cpu')).toBe(cpu(20))
  })
})

test('prices and sizes follow the instance types', async () => {
  const { state, run, change } = await start({ usdPerHour: '1' })
  run('n')
  expect(state.ceilings.use()?.used.get(HOURLY_COST)).toBe(100_000_000n)
  await change([instanceType('small', 2, 0.3)])
  expect(state.ceilings.use()?.used.get(HOURLY_COST)).toBe(300_000_000n)
  expect(state.ceilings.headroom()?.prices).toEqual(new Map([['n', 300_000_000n]]))
})

type Step = (harness: Awaited<ReturnType<typeof start>>, name: string) => void

const reserved = (name: string): NodeClaim => nodeClaim(name)

const steps: Readonly<Record<string, Step>> = {
  run: ({ run }, name) => run(name),
  grow: ({ run }, name) => run(name, 'large'),
  create: ({ state, informers }, name) => {
    if (state.tracksClaim(name)) return
    const release = state.ceilings.reserve(reserved(name))
    state.recordCreated(reserved(name))
    informers.put(karpenterKinds.NodeClaim, reserved(name))
    release()
  },
  delete: ({ informers }, name) => informers.delete(karpenterKinds.NodeClaim, name),
  leave: ({ informers }, name) => informers.delete(kinds.Node, name),
  terminate: ({ informers }, name) =>
    informers.put(
      karpenterKinds.NodeClaim,
      nodeClaim(name, { providerID: `kwok://${name}`, deletionTimestamp: '2026-01-01T00:00:00Z' }),
    ),
  mark: ({ state }, name) => state.markForDeletion(`kwok://${name}`),
  unmark: ({ state }, name) => state.unmarkForDeletion(`kwok://${name}`),
  disown: ({ informers }, name) => informers.put(kinds.Node, node(name, { providerID: `kwok://${name}` })),
  leaveOut: ({ state }) => {
    state.leaveOutOverdue(0)
  },
  lower: ({ informers }) => {
    informers.put(policyKinds.ClusterPolicy, policy({ nodes: 900, resources: { cpu: 9_000 } }, 2))
  },
  remove: ({ informers }) => informers.delete(policyKinds.ClusterPolicy, 'default'),
  restore: ({ informers }) => {
    informers.put(policyKinds.ClusterPolicy, policy({ nodes: 1_000, usdPerHour: '500', surge: 2 }, 3))
  },
}

const walk = fc.array(fc.tuple(fc.constantFrom(...Object.keys(steps)), fc.constantFrom('a', 'b', 'c', 'd', 'e')), {
  maxLength: 25,
})

test('after any changes, the use equals a count of all nodes and the result of the command line', async () => {
  let withUse = 0
  await fc.assert(
    fc.asyncProperty(walk, async (changes) => {
      const harness = await start(large)
      const { state, deps, informers } = harness
      for (const [step, name] of changes) {
        steps[step]?.(harness, name)
        const anew = new Ceilings(deps, state)
        await anew.load(new AbortController().signal)
        expect(state.ceilings.headroom()).toEqual(anew.headroom())
        if (state.leftOut.size > 0) continue
        const planned = plannedCeilings({
          policies: [...informers.of(policyKinds.ClusterPolicy).values()],
          nodes: Array.from(state.nodes(), (each) => state.viewOf(each)),
          claims: [...informers.of(karpenterKinds.NodeClaim).values()],
          typesOf: () => [instanceType('small', 2, 0.1), instanceType('large', 8, 0.4)],
        })
        expect(state.ceilings.use()).toEqual(planned?.use)
        if ((planned?.use.used.get(NODES) ?? 0n) > 0n) withUse++
      }
    }),
    { numRuns: propertyRuns(200) },
  )
  expect(withUse).toBeGreaterThan(propertyRuns(200))
})
