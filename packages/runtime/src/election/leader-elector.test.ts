import { formatMicroTime, kinds } from '@kerf/apis'
import { describe, expect, test, vi } from 'vitest'
import { sleep } from '../clock/clock.ts'
import { VirtualClock } from '../clock/virtual-clock.ts'
import { SeededRandom } from '../random/seeded-random.ts'
import { FakeApi, unreachableError } from '../testing/fake-api.ts'
import type { LeaderElectorOptions } from './leader-elector.ts'
import { leaseNamespace } from './lease-namespace.ts'
import { candidate, holder, lease } from './testing/candidate.ts'

/**
 * Simulates a leader whose renewal is stored at once but answered late, and whose later requests get no response. Returns whether
 * it leads at the end, whether the other candidate leads, and whether both led at the same time.
 */
const leadersAfterSlowAnswer = async (other: string): Promise<readonly boolean[]> => {
  const api = new FakeApi()
  const clock = new VirtualClock()
  let cut = false
  let slow = false
  const far: LeaderElectorOptions['client'] = {
    get: (kind, ref) => (cut ? Promise.reject(unreachableError()) : api.get(kind, ref)),
    create: (kind, object) => api.create(kind, object),
    update: async (kind, object) => {
      if (cut) throw unreachableError()
      const stored = await api.update(kind, object)
      if (slow) {
        await sleep(clock, 7_900)
        cut = true
      }
      return stored
    },
  }
  const a = candidate('a', far, clock)
  const b = candidate(other, api, clock)
  a.start()
  await clock.advance(1_000)
  b.start()
  await clock.advance(20_000)
  slow = true
  let both = false
  for (let step = 0; step < 600; step++) {
    await clock.advance(100)
    both ||= a.state.leads && b.state.leads
  }
  return [a.state.leads, b.state.leads, both]
}

describe('leader election', () => {
  test('the first candidate leads; the second logs for which leader it waits, and takes over when the lease is released', async () => {
    const api = new FakeApi()
    const clock = new VirtualClock()
    const a = candidate('a', api, clock)
    const b = candidate('b', api, clock)
    a.start()
    await clock.advance(1_000)
    b.start()
    await clock.advance(120_000)
    expect([a.state.leads, b.state.leads]).toEqual([true, false])
    expect(b.logger.messages('info')).toEqual([
      `waiting for the lease kube-system/karpenter-leader-election, held by a`,
    ])
    a.stop.abort()
    await clock.advance(5_000)
    expect(a.state).toMatchObject({ ended: true, error: undefined })
    expect(b.state.leads).toBe(true)
    expect(api.objects(kinds.Lease)).toMatchObject([
      {
        apiVersion: 'coordination.k8s.io/v1',
        kind: 'Lease',
        spec: { holderIdentity: 'b', leaseTransitions: 1, leaseDurationSeconds: 15 },
      },
    ])
    expect(await b.metrics.text()).toContain('leader_election_master_status{name="karpenter-leader-election"} 1')
    expect(a.events.events.map((event) => event.message)).toEqual(['a became leader', 'a stopped leading'])
  })

  test('keeps the lease until the leader has finished its work', async () => {
    const api = new FakeApi()
    const clock = new VirtualClock()
    const a = candidate('a', api, clock)
    const b = candidate('b', api, clock)
    a.start(25_000)
    await clock.advance(1_000)
    b.start()
    a.stop.abort()
    await clock.advance(24_000)
    expect(holder(api)).toBe('a')
    expect(b.state.leads).toBe(false)
    await clock.advance(10_000)
    expect(b.state.leads).toBe(true)
  })

  test('after a leader has died, another candidate takes over when the lease has expired, and not earlier', async () => {
    const api = new FakeApi()
    const clock = new VirtualClock()
    api.put(kinds.Lease, {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: lease,
      // These times come from another machine whose clock is an hour off. They must have no effect.
      spec: { holderIdentity: 'dead', leaseDurationSeconds: 15, renewTime: formatMicroTime(clock.now() - 3_600_000) },
    })
    const b = candidate('b', api, clock)
    b.start()
    await clock.advance(14_900)
    expect(b.state.leads).toBe(false)
    await clock.advance(6_000)
    expect(b.state.leads).toBe(true)
  })

  test('a leader that cannot reach the server stops before another candidate can lead', async () => {
    const api = new FakeApi()
    const clock = new VirtualClock()
    const a = candidate('a', api, clock)
    a.start()
    await clock.advance(10_000)
    const cutAt = clock.monotonic()
    api.before = () => {
      throw unreachableError()
    }
    await clock.runUntil(() => a.state.lost, 60_000)
    expect(clock.monotonic() - cutAt).toBeLessThan(15_000)
    await clock.settle()
    expect(a.state.error).toMatchObject({ code: 'LeaseLost' })
  })

  test('a server that never answers is treated like an unreachable server', async () => {
    const api = new FakeApi()
    const clock = new VirtualClock()
    const a = candidate('a', api, clock)
    a.start()
    await clock.advance(10_000)
    const cutAt = clock.monotonic()
    api.before = () => new Promise(() => {})
    await clock.runUntil(() => a.state.lost, 60_000)
    expect(a.state.lost).toBe(true)
    expect(clock.monotonic() - cutAt).toBeLessThan(15_000)
  })

  test('a request without a response is cancelled after five seconds, and the next request keeps the lease', async () => {
    const api = new FakeApi()
    const clock = new VirtualClock()
    const a = candidate('a', api, clock)
    a.start()
    await clock.advance(10_000)
    let hanging = 1
    api.before = () => (hanging-- > 0 ? new Promise(() => {}) : undefined)
    await clock.advance(60_000)
    expect(a.state).toMatchObject({ leads: true, lost: false })
    expect(a.logger.lines.at(-1)?.fields['error']).toEqual(new Error('no answer within 5 s'))
  })

  test('without a response, there are two attempts before the lease is lost', async () => {
    const api = new FakeApi()
    const clock = new VirtualClock()
    const a = candidate('a', api, clock)
    a.start()
    await clock.advance(10_000)
    const began = clock.monotonic()
    const attempts: number[] = []
    api.before = () => {
      attempts.push(clock.monotonic() - began)
      return new Promise(() => {})
    }
    await clock.runUntil(() => a.state.lost, 60_000)
    expect(attempts.slice(1).map((at, i) => at - (attempts[i] ?? 0))).toEqual([5_000])
  })

  test('a candidate whose request gets no response tries again', async () => {
    const api = new FakeApi()
    const clock = new VirtualClock()
    let hanging = 1
    api.before = () => (hanging-- > 0 ? new Promise(() => {}) : undefined)
    const a = candidate('a', api, clock)
    a.start()
    await clock.advance(12_000)
    expect(a.state.leads).toBe(true)
  })

  test('if the release of the lease gets no response, shutdown is delayed by only five seconds', async () => {
    const api = new FakeApi()
    const clock = new VirtualClock()
    const a = candidate('a', api, clock)
    a.start()
    await clock.advance(10_000)
    api.before = () => new Promise(() => {})
    a.stop.abort()
    await clock.advance(5_000)
    expect(a.state).toMatchObject({ ended: true, error: undefined })
    expect(a.logger.lines.at(-1)).toMatchObject({ level: 'warn', fields: { error: new Error('no answer within 5 s') } })
  })

  test('a renewal counts from the time it was sent, so that a slow response does not lead to two leaders', async () => {
    for (let seed = 0; seed < 10; seed++) expect(await leadersAfterSlowAnswer(`b${seed}`)).toEqual([false, true, false])
  })

  test('if renewing fails with an unexpected error, the lease counts as lost', async () => {
    const api = new FakeApi()
    const clock = new VirtualClock()
    const { logger, start, state } = candidate('a', api, clock)
    start()
    await clock.advance(3_000)
    expect(state.leads).toBe(true)
    const timer = vi.spyOn(clock, 'timer').mockImplementation(() => {
      throw new Error('no timers')
    })
    await clock.advance(3_000)
    timer.mockRestore()
    await clock.advance(1_000)
    expect(state).toMatchObject({ leads: false, lost: true, ended: true })
    expect(String(state.error)).toContain('lost the lease')
    expect(logger.messages('error')).toContain('could not renew the lease')
  })

  test('if another candidate overwrites the lease, it is lost at once', async () => {
    const api = new FakeApi()
    const clock = new VirtualClock()
    const a = candidate('a', api, clock)
    a.start()
    await clock.advance(5_000)
    const current = api.objects(kinds.Lease)[0]
    if (current === undefined) throw new Error('no lease')
    api.put(kinds.Lease, {
      ...current,
      spec: { ...current.spec, holderIdentity: 'thief', renewTime: formatMicroTime(clock.now()) },
    })
    await clock.advance(2_100)
    expect(a.state.error).toMatchObject({ code: 'LeaseLost', parameters: { holder: 'thief' } })
  })

  test('survives short faults, a deleted lease, and an edit by another client', async () => {
    const api = new FakeApi()
    const clock = new VirtualClock()
    const a = candidate('a', api, clock)
    a.start()
    await clock.advance(5_000)
    api.failures.push(unreachableError(), unreachableError())
    await clock.advance(8_000)
    api.remove(kinds.Lease, lease)
    await clock.advance(8_000)
    const current = api.objects(kinds.Lease)[0]
    if (current === undefined) throw new Error('no lease')
    api.put(kinds.Lease, { ...current, metadata: { ...current.metadata, labels: { edited: 'yes' } } })
    await clock.advance(60_000)
    expect(a.state).toMatchObject({ leads: true, lost: false })
    expect(await a.metrics.text()).toMatch(/leader_election_slowpath_total\{name="karpenter-leader-election"\} 2/)
  })

  test('stops waiting when its signal is aborted', async () => {
    const api = new FakeApi()
    const clock = new VirtualClock()
    const a = candidate('a', api, clock)
    const b = candidate('b', api, clock)
    a.start()
    await clock.advance(100)
    b.start()
    await clock.advance(10_000)
    b.stop.abort()
    await clock.settle()
    expect(b.state).toMatchObject({ ended: true, leads: false, error: undefined })
    a.stop.abort()
    await clock.settle()
    expect(clock.pending).toBe(0)
  })

  test('with random server faults, there are never two leaders at the same time', async () => {
    for (let seed = 0; seed < 40; seed++) {
      const random = new SeededRandom(`chaos ${seed}`)
      const api = new FakeApi()
      const clock = new VirtualClock()
      const candidates = ['a', 'b', 'c'].map((identity) => candidate(identity, api, clock))
      let most = 0
      api.before = async () => {
        most = Math.max(most, candidates.filter(({ state }) => state.leads).length)
        if (random.next() < 0.3) await sleep(clock, random.next() * 12_000)
        if (random.next() < 0.3) throw unreachableError()
      }
      for (const { start } of candidates) start()
      for (let minute = 0; minute < 10; minute++) {
        await clock.advance(60_000)
        most = Math.max(most, candidates.filter(({ state }) => state.leads).length)
      }
      expect(most, `seed ${seed}`).toBeLessThanOrEqual(1)
    }
  })
})

test('the lease is in the namespace of the setting, or otherwise of the process, or otherwise of the chart', () => {
  const settings = { leaderElectionNamespace: 'a', systemNamespace: 'c' }
  const pod = { isInCluster: true, namespace: 'b' }
  expect(leaseNamespace(settings, pod)).toBe('a')
  expect(leaseNamespace({ ...settings, leaderElectionNamespace: '' }, pod)).toBe('b')
  expect(leaseNamespace({ ...settings, leaderElectionNamespace: '' }, { namespace: 'of-a-context' })).toBe('c')
  expect(() => leaseNamespace({ leaderElectionNamespace: '', systemNamespace: '' }, {})).toThrow(
    '--leader-election-namespace',
  )
})
