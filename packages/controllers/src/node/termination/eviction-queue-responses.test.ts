import { annotations, karpenterKinds, kinds, taints } from '@kerf/apis'
import { condition, node, nodeClaim, pod } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import { evictionPasses, webPod as web } from '../../testing/by-hand/eviction-passes.ts'
import { apiError, sumOfMetric } from '../../testing/harness/index.ts'

const SEVERAL_BUDGETS =
  'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.'
const other = pod('other', { nodeName: 'n' })

describe('a consumer of the queue', () => {
  test('gets the keys that are already queued, and none after it has stopped', () => {
    const w = evictionPasses()
    w.queue.add([web], undefined)
    w.unsubscribe?.()
    w.queue.add([other], undefined)
    expect(w.keys).toEqual(['default/web'])
    const later: string[] = []
    w.controller.subscribe?.((key) => later.push(key))
    expect(later).toEqual(['default/web', 'default/other'])
  })

  test('gets each pod once, and a second time if an earlier deadline is set', () => {
    const w = evictionPasses()
    w.queue.add([web, web], undefined)
    w.queue.add([web], 50_000)
    w.queue.add([web], 50_000)
    w.queue.add([web], 60_000)
    expect(w.keys).toEqual(['default/web', 'default/web'])
    expect(w.queue.size).toBe(1)
  })

  test('waits until pods, Nodes and NodeClaims are listed, because an unlisted pod would count as deleted', () => {
    const w = evictionPasses()
    const waited = w.controller.sources.map(({ informer }) => informer)
    for (const kind of [kinds.Pod, kinds.Node, karpenterKinds.NodeClaim])
      expect(waited).toContain(w.informers.of(kind as typeof kinds.Pod))
    for (const { keysOf } of w.controller.sources) expect([...keysOf({ after: web })]).toEqual([])
  })

  test('does nothing for a pod that was not added', async () => {
    const w = evictionPasses()
    w.put(web)
    expect(await w.work()).toEqual({ kind: 'done' })
    expect(w.queue.has(web)).toBe(false)
  })

  test('distinguishes a pod from an earlier pod of the same name', () => {
    const w = evictionPasses()
    w.queue.add([web], undefined)
    const next = { ...web, metadata: { ...web.metadata, uid: 'next' } }
    expect([w.queue.has(web), w.queue.has(next)]).toEqual([true, false])
    w.queue.add([next], undefined)
    expect([w.queue.has(web), w.queue.has(next)]).toEqual([false, true])
  })
})

describe('a pod that may not be evicted now', () => {
  const marked = (text: string, startTime?: string) =>
    pod('web', {
      nodeName: 'n',
      metadata: { annotations: { [annotations.doNotDisrupt]: text } },
      status: startTime === undefined ? {} : { startTime },
    })

  test.each([
    [marked('true'), []],
    [marked('1h', '2026-01-01T00:00:00Z'), ['DoNotDisruptUntil']],
    [pod('web', { nodeName: 'n', spec: { tolerations: [{ key: taints.disrupted.key, operator: 'Exists' }] } }), []],
  ])('waits, and its Event has the time until which it waits, if that is known', async (held, reasons) => {
    const w = evictionPasses()
    w.put(held)
    w.queue.add([held], undefined)
    expect(await w.work()).toEqual({ kind: 'retry' })
    expect(w.queue.size).toBe(1)
    expect(w.events.reasons()).toEqual(reasons)
  })
})

describe('the response to an eviction', () => {
  const asked = async (answer: Error | undefined, traits: { withNode?: boolean } = {}) => {
    const w = evictionPasses({ evict: () => (answer === undefined ? Promise.resolve() : Promise.reject(answer)) })
    if (traits.withNode === false) w.informers.delete(kinds.Node, 'n')
    w.put(web)
    w.queue.add([web], undefined)
    return { w, outcome: await w.work().catch((error: unknown) => String(error)) }
  }
  const messages = ({ events }: ReturnType<typeof evictionPasses>) => events.events.map(({ message }) => message)

  test('reports that several PDBs select the pod, so the pod waits, and the Node gets an Event', async () => {
    const { w, outcome } = await asked(apiError(500, SEVERAL_BUDGETS))
    expect(outcome).toEqual({ kind: 'retry' })
    expect(messages(w)).toEqual(['Failed to drain node, eviction does not support multiple PDBs (Pod=default/web)'])
    expect(w.queue.has(web)).toBe(true)
  })

  test('is a refusal because of a PDB after the Node was deleted, so the pod waits without an Event', async () => {
    const { w, outcome } = await asked(apiError(429), { withNode: false })
    expect(outcome).toEqual({ kind: 'retry' })
    expect(messages(w)).toEqual([])
  })

  test('is a success, which is counted under code 200', async () => {
    const { w } = await asked(undefined)
    expect(await sumOfMetric(w.metrics, 'karpenter_pods_eviction_requests_total', { code: '200' })).toBe(1)
  })

  test('does not arrive, so nothing is counted, and the pod stays in the queue', async () => {
    const { w, outcome } = await asked(new Error('socket hang up'))
    expect(outcome).toBe('Error: socket hang up')
    expect(await sumOfMetric(w.metrics, 'karpenter_pods_eviction_requests_total', {})).toBe(0)
    expect(w.queue.has(web)).toBe(true)
  })
})

describe('the reason why the node of a pod is terminated', () => {
  const reasonWith = async (...claims: readonly ReturnType<typeof nodeClaim>[]) => {
    const w = evictionPasses({ evict: async () => {} })
    w.informers.put(kinds.Node, node('n', { providerID: 'kwok://n' }))
    w.informers.put(karpenterKinds.NodeClaim, ...claims)
    w.put(web)
    w.queue.add([web], undefined)
    await w.work()
    const [event] = w.events.events
    const reason = event?.message.replace('Evicted pod: ', '') ?? 'none'
    expect(await sumOfMetric(w.metrics, 'karpenter_pods_drained_total', { reason })).toBe(1)
    return reason
  }
  const claim = (name: string, status: 'True' | 'False') =>
    nodeClaim(name, { providerID: 'kwok://n', conditions: [condition('DisruptionReason', status, 'Drifted')] })

  test('comes from its only claim, and is "forceful termination" if the claim has no reason', async () => {
    expect(await reasonWith(claim('a', 'True'))).toBe('Drifted')
    expect(await reasonWith(claim('a', 'False'))).toBe('Forceful Termination')
    expect(await reasonWith(nodeClaim('a', { providerID: 'kwok://n' }))).toBe('Forceful Termination')
    expect(await reasonWith(claim('a', 'True'), claim('b', 'True'))).toBe('')
  })
})

describe('an evicted or deleted pod', () => {
  test('is deleted by its UID if forced, reported and counted', async () => {
    const calls: unknown[] = []
    const w = evictionPasses({
      delete: async (kind, ref, options) => void calls.push([kind.kind, ref, options?.preconditions]),
    })
    w.put(web)
    w.queue.add([web], w.clock.now() + 20_000)
    await w.work()
    expect(calls).toEqual([['Pod', { name: 'web', namespace: 'default' }, { uid: 'uid-web' }]])
    expect(w.events.events[0]?.message).toContain('was granted 20 seconds of grace-period of its 30 ')
    expect(await sumOfMetric(w.metrics, 'karpenter_pods_drained_total', { reason: '' })).toBe(1)
  })

  test('is not evicted again for five seconds, which does not delay a new pod of the same name', async () => {
    const evicted: string[] = []
    const w = evictionPasses({ evict: async (_, options) => void evicted.push(options?.preconditions?.uid ?? '') })
    const next = { ...web, metadata: { ...web.metadata, uid: 'next' } }
    const ask = async (...pods: readonly (typeof web)[]): Promise<void> => {
      w.put(...pods)
      w.queue.add(pods, undefined)
      for (const { metadata } of pods) await w.work(metadata.name)
    }
    await ask(web)
    await w.clock.advance(3_000)
    await ask(next)
    await w.clock.advance(1_999)
    await ask(web)
    await ask(next)
    expect(evicted).toEqual(['uid-web', 'next'])
    await w.clock.advance(1)
    await ask(other)
    await ask(next)
    expect(evicted).toEqual(['uid-web', 'next', 'uid-other'])
    await ask(web)
    expect(evicted).toEqual(['uid-web', 'next', 'uid-other', 'uid-web'])
  })
})
