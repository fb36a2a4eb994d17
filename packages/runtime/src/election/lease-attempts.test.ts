import { getEventListeners } from 'node:events'
import { kinds } from '@kerf/apis'
import { describe, expect, test, vi } from 'vitest'
import { VirtualClock } from '../clock/virtual-clock.ts'
import { ApiError } from '../kube-client/api-error.ts'
import { SeededRandom } from '../random/seeded-random.ts'
import { FakeApi, unreachableError } from '../testing/fake-api.ts'
import { leaderIdentity, leaseRequestTimeout } from './leader-elector.ts'
import { candidate, holder, lease } from './testing/candidate.ts'

/** Returns the time of each call, in milliseconds. */
const timesOf = (api: FakeApi, clock: VirtualClock): number[] => {
  const times: number[] = []
  api.before = () => {
    times.push(clock.monotonic())
  }
  return times
}

const thief = (api: FakeApi): void => {
  const [current] = api.objects(kinds.Lease)
  if (current === undefined) throw new Error('no lease')
  api.put(kinds.Lease, { ...current, spec: { ...current.spec, holderIdentity: 'thief' } })
}

const fixture = () => ({ api: new FakeApi(), clock: new VirtualClock() })

describe('attempts to acquire the lease', () => {
  test.each([
    [0, 2_000],
    [0.5, 3_200],
    [1, 4_400],
  ])('are two seconds apart, plus up to 1.2 times that at random: %d', async (chance, gap) => {
    const { api, clock } = fixture()
    candidate('a', api, clock).start()
    await clock.settle()
    const b = candidate('b', api, clock)
    vi.spyOn(b.random, 'next').mockReturnValue(chance)
    b.start()
    await clock.settle()
    const gets: number[] = []
    api.before = (call) => {
      if (call === 'get Lease') gets.push(clock.monotonic())
    }
    await clock.advance(9_000)
    expect(gets.slice(0, 2)).toEqual([gap, 2 * gap])
  })

  test('if two candidates find no lease at the same time, one gets it, and the other waits without an error', async () => {
    const { api, clock } = fixture()
    const both = [candidate('a', api, clock), candidate('b', api, clock)]
    for (const { start } of both) start()
    await clock.advance(10_000)
    expect(api.calls.filter((call) => call === 'create Lease')).toHaveLength(2)
    expect(both.filter(({ state }) => state.leads)).toHaveLength(1)
    expect(both.flatMap(({ logger }) => logger.messages('error'))).toEqual([])
  })

  test.each(['create Lease', 'update Lease'])(
    'are reported and repeated if the server refuses them (%s)',
    async (refused) => {
      const { api, clock } = fixture()
      const refusal = new ApiError({ code: 403, reason: 'Forbidden', message: 'leases are forbidden' })
      if (refused === 'update Lease')
        api.put(kinds.Lease, { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: lease, spec: {} })
      api.before = (call) => {
        if (call === refused) throw refusal
      }
      const a = candidate('a', api, clock)
      a.start()
      await clock.settle()
      expect(a.logger.lines.map(({ level, fields }) => [level, fields['error']])).toEqual([['error', refusal]])
      api.before = () => {}
      await clock.advance(5_000)
      expect(a.state.leads).toBe(true)
    },
  )

  test('leave no listener on the signal that ends them, even after many attempts', async () => {
    const { api, clock } = fixture()
    candidate('a', api, clock).start()
    await clock.settle()
    const b = candidate('b', api, clock)
    b.start()
    await clock.advance(120_000)
    // This is the listener of the pause before the next attempt.
    expect(getEventListeners(b.stop.signal, 'abort')).toHaveLength(1)
  })

  test('end at once and without an error when the process stops, even if an attempt gets no response', async () => {
    const { api, clock } = fixture()
    api.before = () => new Promise(() => {})
    const a = candidate('a', api, clock)
    a.start()
    await clock.advance(1_000)
    a.stop.abort()
    await clock.settle()
    expect(a.state).toMatchObject({ ended: true, leads: false, error: undefined })
    expect(a.logger.lines).toEqual([])
    expect(clock.pending).toBe(0)
  })

  test('are reported once if they fail in the same way, and again after a success, even by a waiting candidate', async () => {
    const { api, clock } = fixture()
    const [a, b] = [candidate('a', api, clock), candidate('b', api, clock)]
    a.start()
    await clock.settle()
    b.start()
    for (const _ of ['first', 'second']) {
      await clock.advance(10_000)
      api.before = () => {
        throw unreachableError()
      }
      await clock.advance(9_000)
      api.before = () => {}
    }
    expect([a, b].map(({ logger }) => logger.messages('error').length)).toEqual([2, 2])
  })
})

describe('a leader', () => {
  test('renews every two seconds', async () => {
    const { api, clock } = fixture()
    candidate('a', api, clock).start()
    await clock.settle()
    const times = timesOf(api, clock)
    await clock.advance(6_000)
    expect(times).toEqual([2_000, 4_000, 6_000])
    expect(api.calls.slice(2)).toEqual(['update Lease', 'update Lease', 'update Lease'])
  })

  test('stops ten seconds after it sent its last renewal if it gets no response, and its error names no other holder', async () => {
    const { api, clock } = fixture()
    const a = candidate('a', api, clock)
    a.start()
    await clock.advance(4_500)
    api.before = () => new Promise(() => {})
    await clock.advance(9_499)
    expect(a.state.leads).toBe(true)
    await clock.advance(1)
    expect(a.state).toMatchObject({ leads: false, ended: true })
    expect(a.state.error).toMatchObject({
      code: 'LeaseLost',
      parameters: { lease: `${lease.namespace}/${lease.name}` },
    })
    expect(a.state.error).not.toHaveProperty('parameters.holder')
  })

  test('is shown in its metric and in Events about the lease, and works without an Event recorder', async () => {
    const { api, clock } = fixture()
    const metric = /leader_election_master_status\{name="karpenter-leader-election"\} (.)/
    const a = candidate('a', api, clock)
    const status = async (): Promise<string | undefined> => metric.exec(await a.metrics.text())?.[1]
    expect(await status()).toBe('0')
    a.start()
    await clock.settle()
    expect(await status()).toBe('1')
    a.stop.abort()
    await clock.settle()
    expect(await status()).toBe('0')
    expect(
      a.events.events.map(({ object, type, reason }) => [object.kind, object.metadata.name, type, reason]),
    ).toEqual([
      ['Lease', lease.name, 'Normal', 'LeaderElection'],
      ['Lease', lease.name, 'Normal', 'LeaderElection'],
    ])
    const b = candidate('b', api, clock, { isHeard: false })
    b.start()
    await clock.settle()
    b.stop.abort()
    await clock.settle()
    expect(b.state).toMatchObject({ ended: true, error: undefined })
    expect(b.logger.messages('warn')).toEqual([])
    expect(holder(api)).toBe('')
  })

  test('leaves the lease to another holder if its renewal finds that holder while it ends', async () => {
    const { api, clock } = fixture()
    const a = candidate('a', api, clock)
    a.start()
    await clock.settle()
    const { promise, resolve } = Promise.withResolvers<void>()
    api.before = () => promise
    await clock.advance(2_000)
    a.stop.abort()
    await clock.settle()
    thief(api)
    resolve()
    await clock.settle()
    expect(a.state).toMatchObject({ ended: true, error: undefined })
    expect(holder(api)).toBe('thief')
    expect(a.events.events.map(({ message }) => message)).toEqual(['a became leader'])
  })

  test('releases the lease, and does not report it as lost, if its work ends before its last renewal fails', async () => {
    const { api, clock } = fixture()
    const a = candidate('a', api, clock)
    a.start(9_000)
    await clock.settle()
    api.before = () => new Promise(() => {})
    a.stop.abort()
    await clock.advance(9_500)
    api.before = () => {}
    await clock.advance(5_000)
    expect(a.state).toMatchObject({ ended: true, lost: false, error: undefined })
    expect(holder(api)).toBe('')
  })
})

test('a request about the lease may take half of the renew deadline, and at most five seconds', () => {
  expect([leaseRequestTimeout(), leaseRequestTimeout(6_000), leaseRequestTimeout(60_000)]).toEqual([
    5_000, 3_000, 5_000,
  ])
})

test('two processes on one host have different identities, which begin with its name', () => {
  const random = new SeededRandom(1)
  const identities = [leaderIdentity('node-1', random), leaderIdentity('node-1', random)]
  expect(new Set(identities).size).toBe(2)
  for (const identity of identities) expect(identity).toMatch(/^node-1_[0-9a-f-]{36}$/)
})
