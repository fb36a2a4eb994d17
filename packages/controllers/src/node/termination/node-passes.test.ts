import {
  type Condition,
  finalizers,
  findCondition,
  karpenterKinds,
  kinds,
  labels,
  type Node,
  type NodeClaim,
  type Pod,
  type ResourceKind,
  taints,
} from '@kerf/apis'
import { NodeClaimNotFoundError } from '@kerf/provider-contract'
import { kwokNodeClassKind } from '@kerf/provider-kwok/node-class'
import type { KubeClient, Outcome } from '@kerf/runtime'
import { condition, node, nodeClaim, pod } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import { ClaimNodes } from '../../nodeclaim/claim-nodes.ts'
import { manualState } from '../../testing/by-hand/manual-state.ts'
import { apiError } from '../../testing/harness/index.ts'
import { EvictionQueue } from './eviction-queue.ts'
import { NodeTermination } from './node-termination.ts'

// Tests of one pass over a terminating Node (`docs/spec/termination.md#node-finalizer`).

interface Traits {
  readonly providerID?: string
  readonly isReady?: boolean
  readonly spec?: Partial<Node['spec']>
  readonly labels?: Readonly<Record<string, string>>
}
const leaving = (traits: Traits = {}): Node => {
  const { metadata, ...rest } = node('n', {
    pool: 'default',
    deletionTimestamp: '2026-01-01T00:00:00Z',
    labels: { 'karpenter.kwok.sh/kwoknodeclass': 'default', ...traits.labels },
    providerID: traits.providerID ?? 'kwok://n',
    ...(traits.spec === undefined ? {} : { spec: traits.spec }),
  })
  return {
    ...rest,
    metadata: { ...metadata, resourceVersion: '7', finalizers: ['example.com/mine', finalizers.termination] },
    status: { ...rest.status, conditions: [condition('Ready', traits.isReady === false ? 'False' : 'True')] },
  }
}

interface Setting {
  readonly claim?: NodeClaim
  readonly pods?: readonly Pod[]
  /** Pods that the API server has but the informer does not show. */
  readonly unseen?: readonly Pod[]
  readonly get?: Error
  readonly ending?: Error
  readonly patch?: Error
  readonly nodeClasses?: readonly ResourceKind[]
}
const passOver = async (seen: Node, setting: Setting = {}) => {
  const bodies: unknown[] = []
  const calls: string[] = []
  let reported: NodeClaim | undefined
  const client = {
    get: async () => Promise.reject(apiError(404)),
    delete: async () => {},
    list: async () => ({ items: [...(setting.pods ?? []), ...(setting.unseen ?? [])] }),
    patch: async ({ kind }: { readonly kind: string }, _: unknown, { body }: { readonly body: unknown }) => {
      calls.push(`patch ${kind}`)
      if (kind === 'NodeClaim') {
        reported = { ...setting.claim, ...(body as NodeClaim) } as NodeClaim
        return reported
      }
      if (setting.patch !== undefined) throw setting.patch
      bodies.push(body)
      return seen
    },
  } as unknown as Partial<KubeClient>
  const provider = {
    ...(setting.nodeClasses === undefined ? {} : { nodeClasses: setting.nodeClasses }),
    get: async () => Promise.reject(setting.get ?? new Error('nobody asks')),
    delete: async () => {
      calls.push('end')
      if (setting.ending !== undefined) throw setting.ending
    },
  }
  const { deps, informers, clock, events } = manualState({ client, provider })
  const links = new ClaimNodes(informers)
  const queue = new EvictionQueue(deps, links)
  const controller = new NodeTermination(deps, links, queue).controller()
  informers.put(kinds.Node, seen)
  if (setting.claim !== undefined) informers.put(karpenterKinds.NodeClaim, setting.claim)
  informers.put(kinds.Pod, ...(setting.pods ?? []))
  const outcome: Outcome | string = await controller.reconcile('n', new AbortController().signal).catch(String)
  const said = (type: string) => {
    const found = reported && findCondition(reported, type)
    return found && [found.status, found.reason]
  }
  return { outcome, bodies, calls, said, queued: queue.size, events: events.events, clock }
}
const done = { kind: 'done' }
const soon = { kind: 'retry-after', after: 1_000 }
const release = { metadata: { resourceVersion: '7', finalizers: ['example.com/mine'] } }
const excluded = { [labels.excludeFromLoadBalancers]: 'karpenter' }

describe('a terminating Node is closed to new pods and traffic', () => {
  const other = { key: 'example.com/mine', effect: 'NoExecute' } as const
  const cordonPatch = async (spec: Partial<Node['spec']>, own: Readonly<Record<string, string>> = {}) =>
    (await passOver(leaving({ spec, labels: own }))).bodies.filter((body) => body !== release).slice(0, -1)
  const cordon = (wanted: readonly unknown[]) => ({
    metadata: { resourceVersion: '7', labels: excluded },
    spec: { taints: wanted },
  })

  test('with a taint in addition to its other taints, written with the resourceVersion that was read', async () => {
    expect(await cordonPatch({})).toEqual([cordon([taints.disrupted])])
    expect(await cordonPatch({ taints: [other] })).toEqual([cordon([other, taints.disrupted])])
  })

  test('with a label, and taint and label are written only if they are missing', async () => {
    expect(await cordonPatch({ taints: [taints.disrupted, other] })).toEqual([cordon([taints.disrupted, other])])
    expect(await cordonPatch({ taints: [other] }, excluded)).toEqual([cordon([other, taints.disrupted])])
    expect(await cordonPatch({ taints: [taints.disrupted, other] }, excluded)).toEqual([])
  })

  test('with a taint that replaces other taints of that key', async () => {
    const stronger = { ...taints.disrupted, effect: 'NoExecute' } as const
    expect(await cordonPatch({ taints: [stronger] }, excluded)).toEqual([cordon([taints.disrupted])])
    expect(await cordonPatch({ taints: [taints.disrupted, stronger] }, excluded)).toEqual([cordon([taints.disrupted])])
  })
})

describe('a terminating Node that is not ready', () => {
  const lost = new NodeClaimNotFoundError('gone')
  const waiting = { pods: [pod('web', { nodeName: 'n' })] }
  test('loses its finalizer without a drain once its instance is gone', async () => {
    const { outcome, bodies, queued } = await passOver(leaving({ isReady: false }), { ...waiting, get: lost })
    expect({ outcome, bodies, queued }).toEqual({ outcome: done, bodies: [release], queued: 0 })
  })

  test('is drained if its instance may exist, if it has no provider ID, and while it is ready', async () => {
    const unknown = await passOver(leaving({ isReady: false }), { ...waiting, get: new Error('the cloud is down') })
    expect([unknown.outcome, unknown.bodies]).toEqual(['Error: the cloud is down', []])
    for (const seen of [leaving({ isReady: false, providerID: '' }), leaving()]) {
      const { outcome, queued } = await passOver(seen, { ...waiting, get: lost })
      expect({ outcome, queued }).toEqual({ outcome: soon, queued: 1 })
    }
  })
})

test('a terminating Node is drained if its claim has any NodeClass kind of the provider', async () => {
  const { outcome, queued } = await passOver(leaving(), {
    nodeClasses: [{ ...kwokNodeClassKind, kind: 'OtherNodeClass', plural: 'othernodeclasses' }, kwokNodeClassKind],
    pods: [pod('web', { nodeName: 'n' })],
  })
  expect({ outcome, queued }).toEqual({ outcome: soon, queued: 1 })
})

describe('the drain of a terminating Node', () => {
  const at = (ago: number): string => new Date(manualState().clock.now() - ago).toISOString()
  const deletedClaim = (...conditions: readonly Condition[]) =>
    nodeClaim('c', { providerID: 'kwok://n', deletionTimestamp: '2026-01-01T00:00:00Z', conditions })
  const draining = (ago: number): Condition => ({
    ...condition('Drained', 'Unknown', 'Draining'),
    lastTransitionTime: at(ago),
  })

  test('takes at least five seconds, and is shown on the claim', async () => {
    const first = await passOver(leaving(), { claim: deletedClaim() })
    expect([first.outcome, first.said('Drained')]).toEqual([soon, ['Unknown', 'Draining']])
    const early = await passOver(leaving(), { claim: deletedClaim(draining(4_000)) })
    expect([early.outcome, early.said('Drained'), early.calls.includes('end')]).toEqual([soon, undefined, false])
    const over = await passOver(leaving(), { claim: deletedClaim(draining(5_000)) })
    expect(over.said('Drained')?.[0]).toBe('True')
    expect(over.said('VolumesDetached')?.[0]).toBe('True')
    expect(over.said('InstanceTerminating')?.[0]).toBe('True')
    expect(over.outcome).toEqual({ kind: 'retry-after', after: 5_000 })
  })

  test('waits for pods, including pods that the informer does not show', async () => {
    const web = pod('web', { nodeName: 'n' })
    const seen = await passOver(leaving(), { claim: deletedClaim(draining(60_000)), pods: [web] })
    expect([seen.outcome, seen.queued, seen.calls.includes('end')]).toEqual([soon, 1, false])
    expect(seen.events.map(({ message }) => message)).toEqual([
      'Failed to drain node, 1 pods are waiting to be evicted',
    ])
    const unseen = await passOver(leaving(), { claim: deletedClaim(draining(60_000)), unseen: [web] })
    expect([unseen.outcome, unseen.calls.includes('end')]).toEqual([soon, false])
    expect((await passOver(leaving(), { unseen: [web] })).bodies).not.toContainEqual(release)
  })

  test('stays on the claim if the termination of the instance fails', async () => {
    const ending = new Error('the cloud is down')
    const { outcome, said, bodies } = await passOver(leaving(), { claim: deletedClaim(draining(60_000)), ending })
    expect(outcome).toContain('the cloud is down')
    expect([said('Drained')?.[0], said('VolumesDetached')?.[0], said('InstanceTerminating')]).toEqual([
      'True',
      'True',
      undefined,
    ])
    expect(bodies).not.toContainEqual(release)
  })

  test('removes the finalizer of the Node when the instance is gone; without a claim no instance is terminated', async () => {
    const over = await passOver(leaving(), {
      claim: deletedClaim(condition('Drained')),
      ending: new NodeClaimNotFoundError('gone'),
    })
    expect([over.outcome, over.bodies.at(-1)]).toEqual([done, release])
    const alone = await passOver(leaving())
    expect([alone.outcome, alone.bodies.at(-1), alone.calls]).toEqual([done, release, ['patch Node', 'patch Node']])
  })

  test.each([404, 409])('is repeated if a write gets a %i; any other refusal is an error', async (code) => {
    expect((await passOver(leaving(), { patch: apiError(code) })).outcome).toEqual({ kind: 'retry' })
    expect((await passOver(leaving(), { patch: apiError(503) })).outcome).toContain('simulated 503')
  })
})
