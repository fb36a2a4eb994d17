import { findCondition, karpenterKinds, kinds, labels, type Node, type NodeClaim } from '@kerf/apis'
import { done, type KubeClient, RecordingLogger, retryAfter, SeededRandom, VirtualClock } from '@kerf/runtime'
import { installCustomResources } from '@kerf/runtime/testing'
import { SandboxApi } from '@kerf/sandbox'
import { condition, nodeClassRef, nodePool, pod, readyNodeLabels } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import type { Deps } from '../../deps.ts'
import { ClaimCreator } from '../../provisioning/claim-creator.ts'
import { manualState } from '../../testing/by-hand/manual-state.ts'
import { candidate, consolidation } from '../../testing/candidate.ts'
import { apiError, sumOfMetric } from '../../testing/harness/index.ts'
import type { Candidate } from '../candidates/candidate.ts'
import type { Command } from '../commands/command.ts'
import { DisruptionEvents } from '../commands/disruption-events.ts'
import { DisruptionMetrics } from '../commands/disruption-metrics.ts'
import { CommandQueue } from './command-queue.ts'
import { isTainted } from './taint-and-reason.ts'

const never = new AbortController().signal
const pool = nodePool('general', { replicas: 2 })
const template = { replacements: [{ kind: 'template', pool }] } as const satisfies Partial<Command>

/**
 * Creates a queue that uses the sandbox API. The test fills the informers itself. `fails` contains the names of objects whose reads fail.
 */
const start = async () => {
  const fails = new Set<string>()
  const before = ({ verb, ref }: { readonly verb: string; readonly ref?: { readonly name?: string } }): void => {
    if (verb === 'get' && fails.has(ref?.name ?? '')) throw apiError(500)
  }
  const clock = new VirtualClock()
  const api = new SandboxApi({ clock, random: new SeededRandom(1) })
  const admin: KubeClient = api.client()
  await installCustomResources(admin, [])
  const { informers, deps: stateDeps, state } = manualState()
  const log = new RecordingLogger()
  const deps: Deps = { ...stateDeps, client: api.client({ interceptor: { before } }), clock, log }
  const queue = new CommandQueue(
    { ...deps, state, creator: new ClaimCreator(deps, state) },
    { events: new DisruptionEvents(deps.events), metrics: new DisruptionMetrics(deps.metrics) },
  )
  informers.put(karpenterKinds.NodePool, pool)
  const ids: string[] = []
  const controller = queue.controller()
  controller.subscribe?.((id) => void ids.push(id))

  /** Creates a node that may be disrupted, in the API and in cluster state. */
  const node = async (name: string): Promise<Candidate> => {
    const { claim: bare, node: machine } = candidate(name)
    const claim = await admin.create<NodeClaim>(karpenterKinds.NodeClaim, {
      ...{ apiVersion: bare.apiVersion, kind: bare.kind, spec: { requirements: [], nodeClassRef } },
      metadata: { name, labels: { [labels.nodePool]: 'general' } },
    })
    const made = await admin.create<Node>(kinds.Node, {
      ...{ apiVersion: 'v1', kind: 'Node', spec: { providerID: name } },
      metadata: { name: machine.metadata.name, labels: { ...readyNodeLabels, [labels.nodePool]: 'general' } },
    })
    informers.put(karpenterKinds.NodeClaim, { ...claim, status: { ...claim.status, providerID: name } })
    informers.put(kinds.Node, made)
    return candidate(name, { claim, node: made, pool })
  }
  const taken = (): readonly string[] => queue.commands.flatMap(({ candidates }) => candidates.map(({ name }) => name))
  const isClosed = async (name: string): Promise<boolean> =>
    isTainted(await admin.get(kinds.Node, { name: `node-${name}` }))
  const reasonOf = async (name: string): Promise<string | undefined> =>
    findCondition(await admin.get(karpenterKinds.NodeClaim, { name }), 'DisruptionReason')?.reason
  return {
    ...{ clock, admin, informers, state, deps, log, fails, queue, node, taken, isClosed, reasonOf },
    reconcile: () => controller.reconcile(ids.at(-1) ?? '', never),
    claims: async () => (await admin.list(karpenterKinds.NodeClaim)).items,
    counted: (name: string, wanted: Readonly<Record<string, string>>) => sumOfMetric(deps.metrics, name, wanted),
  }
}

// `docs/spec/disruption.md#command-queue`
describe('the start of a command', () => {
  test('taints its nodes, writes the reason, and reserves the nodes', async () => {
    const { queue, node, isClosed, reasonOf, taken, state, counted } = await start()
    const one = await node('a')
    expect(queue.has('a')).toBe(false)
    await queue.start(consolidation([one]), never)
    expect([queue.has('a'), queue.size, taken()]).toEqual([true, 1, ['node-a']])
    expect([await isClosed('a'), await reasonOf('a')]).toEqual([true, 'Underutilized'])
    expect(state.byProviderID('a')?.isMarkedForDeletion).toBe(true)
    const labelled = { decision: 'delete', reason: 'underutilized', consolidation_type: 'single' }
    expect(await counted('karpenter_voluntary_disruption_decisions_total', labelled)).toBe(1)
    const byPool = { ...labelled, nodepool: 'general' }
    expect(await counted('karpenter_voluntary_disruption_decisions_by_nodepool_total', byPool)).toBe(1)
    await expect(queue.start(consolidation([await node('b'), one]), never)).rejects.toThrow('node-a')
    expect([queue.has('b'), await isClosed('b'), queue.size]).toEqual([false, false, 1])
  })

  test('releases the reservation of the static pool, whether or not the replacement is created', async () => {
    const { queue, node, state } = await start()
    const one = await node('a')
    expect(state.claims.reserve('general', 3, 1)).toBe(1)
    await queue.start(consolidation([one], template), never)
    // The old node and its replacement count as two nodes, so a limit of three nodes allows one more.
    expect(state.claims.reserve('general', 3, 1)).toBe(1)
    expect(state.claims.reserve('general', 3, 1)).toBe(0)
    await expect(queue.start(consolidation([one], template), never)).rejects.toThrow('already')
    expect(state.claims.reserve('general', 3, 1)).toBe(1)
  })

  test('leaves out deleted nodes if the command has no replacements', async () => {
    const { queue, node, admin, taken, isClosed } = await start()
    const command = consolidation([await node('a'), await node('gone'), await node('b')])
    await admin.delete(kinds.Node, { name: 'node-gone' })
    await queue.start(command, never)
    expect(taken()).toEqual(['node-a', 'node-b'])
    expect([queue.has('a'), queue.has('gone'), queue.has('b')]).toEqual([true, false, true])
    expect(await isClosed('b')).toBe(true)
  })

  test('fails for a command with replacements if a node is deleted; the other nodes are uncordoned, and nothing is created', async () => {
    const { queue, node, admin, isClosed, reasonOf, claims } = await start()
    const command = consolidation([await node('a'), await node('gone')], template)
    await admin.delete(kinds.Node, { name: 'node-gone' })
    await expect(queue.start(command, never)).rejects.toThrow('node-gone was deleted')
    expect([queue.size, queue.has('a')]).toEqual([0, false])
    expect([await isClosed('a'), await reasonOf('a')]).toEqual([false, undefined])
    expect(await claims()).toHaveLength(2)
  })

  test('counts the node of a static pool as a replica again if its replacement cannot be created', async () => {
    const { queue, node, informers, state } = await start()
    const one = await node('a')
    informers.delete(karpenterKinds.NodePool, 'general')
    await expect(queue.start(consolidation([one], template), never)).rejects.toThrow('general')
    expect(state.claims.counts('general')).toMatchObject({ active: 1, pendingDisruption: 0 })
  })

  test('protects for a while the nodes on which its pods are expected, and ignores nodes that do not exist', async () => {
    const { queue, node, state } = await start()
    const one = await node('a')
    await node('b')
    const pods = [pod('moves')]
    const placements = [
      { node: 'vanished', pods },
      { node: 'node-b', pods },
    ]
    await queue.start(consolidation([one], { placements }), never)
    expect([state.expectsPods('a'), state.expectsPods('b')]).toEqual([false, true])
  })
})

// `docs/spec/disruption.md#command-queue`
describe('a command under way', () => {
  test('deletes the nodes at once if it has no replacements, and counts them under the policy of their pool', async () => {
    const { queue, node, reconcile, claims, counted } = await start()
    await queue.start(consolidation([await node('a')]), never)
    expect(await reconcile()).toEqual(done())
    expect([await claims(), queue.size, queue.has('a')]).toEqual([[], 0, false])
    const policy = { reason: 'underutilized', consolidation_policy: 'when_empty_or_underutilized' }
    expect(await counted('karpenter_nodeclaims_disrupted_total', policy)).toBe(1)
    await queue.start(
      consolidation([await node('b')], { method: 'drift', reason: 'Drifted', consolidationType: '' }),
      never,
    )
    await reconcile()
    expect(await counted('karpenter_nodeclaims_disrupted_total', { reason: 'drifted', consolidation_policy: '' })).toBe(
      1,
    )
  })

  const replaced = async () => {
    const w = await start()
    await w.queue.start(consolidation([await w.node('a'), await w.node('b')], template), never)
    const made = (await w.claims()).find(({ metadata: { name } }) => name !== 'a' && name !== 'b')
    if (made === undefined) throw new Error('there is no replacement')
    return { ...w, made }
  }

  test('checks a replacement every second until it is initialized; then the nodes are deleted', async () => {
    const { made, informers, reconcile, claims, queue } = await replaced()
    expect(await reconcile()).toEqual(retryAfter(1_000))
    informers.put(karpenterKinds.NodeClaim, made)
    expect(await reconcile()).toEqual(retryAfter(1_000))
    expect(await claims()).toHaveLength(3)
    informers.put(karpenterKinds.NodeClaim, { ...made, status: { conditions: [condition('Initialized')] } })
    expect(await reconcile()).toEqual(done())
    expect((await claims()).map(({ metadata }) => metadata.name)).toEqual([made.metadata.name])
    expect(queue.size).toBe(0)
  })

  test.each(['is gone', 'is being deleted'])('is undone completely when a replacement %s', async (how) => {
    const { made, informers, reconcile, state, queue, isClosed, reasonOf } = await replaced()
    informers.put(karpenterKinds.NodeClaim, made)
    const deletionTimestamp = '2026-01-01T00:00:00Z'
    if (how === 'is gone') informers.delete(karpenterKinds.NodeClaim, made.metadata.name)
    else informers.put(karpenterKinds.NodeClaim, { ...made, metadata: { ...made.metadata, deletionTimestamp } })
    expect(await reconcile()).toEqual(done())
    expect([queue.size, queue.has('a'), queue.has('b')]).toEqual([0, false, false])
    for (const name of ['a', 'b']) expect([await isClosed(name), await reasonOf(name)]).toEqual([false, undefined])
    expect(state.byProviderID('a')?.isMarkedForDeletion).toBe(false)
    expect(state.claims.counts('general')).toMatchObject({ active: 2, pendingDisruption: 0 })
  })

  test('logs a node that cannot be uncordoned, and uncordons the others', async () => {
    const { made, informers, reconcile, fails, log, queue, isClosed } = await replaced()
    informers.put(karpenterKinds.NodeClaim, made)
    informers.delete(karpenterKinds.NodeClaim, made.metadata.name)
    fails.add('node-a')
    expect(await reconcile()).toEqual(done())
    expect([queue.size, await isClosed('a'), await isClosed('b')]).toEqual([0, true, false])
    const reported = log.lines.filter(({ level, fields }) => level === 'error' && 'Node' in fields)
    expect(reported.map(({ fields }) => fields['Node'])).toEqual([{ name: 'node-a' }])
  })
})

test('the queue does not start before NodeClaims are listed', async () => {
  const { queue, informers } = await start()
  expect(queue.controller().sources.map(({ informer }) => informer)).toEqual([informers.of(karpenterKinds.NodeClaim)])
})
