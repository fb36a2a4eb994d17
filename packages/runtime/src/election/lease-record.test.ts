import { formatMicroTime, kinds, type Lease } from '@kerf/apis'
import { describe, expect, test } from 'vitest'
import { VirtualClock } from '../clock/virtual-clock.ts'
import { FakeApi, unreachableError } from '../testing/fake-api.ts'
import { candidate, lease } from './testing/candidate.ts'

const fixture = () => {
  const api = new FakeApi()
  const clock = new VirtualClock()
  const stored = (): Lease | undefined => api.objects(kinds.Lease)[0]
  /** Puts a Lease without a spec, which the API allows although the type requires one. */
  const put = (spec?: Lease['spec']): void => {
    const object = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: lease, ...(spec && { spec }) }
    api.put(kinds.Lease, object as Lease)
  }
  return { api, clock, put, stored }
}

describe('the record of a lease', () => {
  test('contains the holder, the time of acquisition, and the number of transitions', async () => {
    const { api, clock, stored } = fixture()
    const a = candidate('a', api, clock)
    const b = candidate('b', api, clock)
    a.start()
    await clock.settle()
    expect(stored()).toMatchObject({ apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: lease })
    const acquireTime = '2026-01-01T00:00:00.000000Z'
    const ofA = { holderIdentity: 'a', leaseDurationSeconds: 15, acquireTime, leaseTransitions: 0 }
    expect(stored()?.spec).toEqual({ ...ofA, renewTime: acquireTime })
    await clock.advance(6_500)
    expect(stored()?.spec).toEqual({ ...ofA, renewTime: '2026-01-01T00:00:06.000000Z' })
    a.stop.abort()
    await clock.settle()
    const released = '2026-01-01T00:00:06.500000Z'
    const free = { holderIdentity: '', leaseDurationSeconds: 1, leaseTransitions: 0 }
    expect(stored()?.spec).toEqual({ ...free, acquireTime: released, renewTime: released })
    b.start()
    await clock.settle()
    expect(stored()?.spec).toEqual({
      holderIdentity: 'b',
      leaseDurationSeconds: 15,
      acquireTime: released,
      renewTime: released,
      leaseTransitions: 1,
    })
  })

  test('has whole seconds, rounded up', async () => {
    const { api, clock, stored } = fixture()
    candidate('a', api, clock, { leaseDuration: 1_200, renewDeadline: 1_000, retryPeriod: 200 }).start()
    await clock.settle()
    expect(stored()?.spec?.leaseDurationSeconds).toBe(2)
  })

  test('has no holder if it has no spec, and a candidate acquires it even if its first attempt fails', async () => {
    const { api, clock, put, stored } = fixture()
    put()
    let failing = 1
    api.before = (call) => {
      if (call === 'update Lease' && failing-- > 0) throw unreachableError()
    }
    const a = candidate('a', api, clock)
    a.start()
    await clock.settle()
    expect(a.state.leads).toBe(false)
    await clock.advance(5_000)
    expect(a.state.leads).toBe(true)
    expect(stored()?.spec).toMatchObject({ holderIdentity: 'a', leaseTransitions: 1 })
    expect(a.logger.messages('info')).toEqual(['became leader'])
  })

  test.each([
    ['that the Lease names', 40, 40_000],
    ['of the candidate if the Lease names none', undefined, 15_000],
  ])('is valid for the duration %s, from the time when it was first read', async (_, leaseDurationSeconds, valid) => {
    const { api, clock, put } = fixture()
    put({ holderIdentity: 'dead', ...(leaseDurationSeconds !== undefined && { leaseDurationSeconds }) })
    const b = candidate('b', api, clock)
    b.start()
    await clock.advance(valid - 1)
    expect(b.state.leads).toBe(false)
    await clock.advance(4_401)
    expect(b.state.leads).toBe(true)
  })

  const before = {
    holderIdentity: 'other',
    leaseDurationSeconds: 15,
    renewTime: formatMicroTime(0),
    acquireTime: formatMicroTime(0),
    leaseTransitions: 3,
  }
  test.each([
    ['renewTime', { ...before, renewTime: formatMicroTime(1) }],
    ['acquireTime', { ...before, acquireTime: formatMicroTime(1) }],
    ['leaseTransitions', { ...before, leaseTransitions: 4 }],
    ['holder', { ...before, holderIdentity: 'another' }],
    ['object', before],
  ])(
    'counts as renewed if it has another %s, and then the candidate waits for the whole duration again',
    async (what, after) => {
      const { api, clock, put } = fixture()
      put(before)
      const b = candidate('b', api, clock)
      b.start()
      await clock.advance(10_000)
      if (what === 'object') api.remove(kinds.Lease, lease)
      put(after)
      await clock.advance(14_900)
      expect(b.state.leads).toBe(false)
      await clock.advance(10_000)
      expect(b.state.leads).toBe(true)
    },
  )
})

test('micro times have six digits', () => {
  expect(formatMicroTime(Date.UTC(2026, 0, 2, 3, 4, 5, 67))).toBe('2026-01-02T03:04:05.067000Z')
  expect(formatMicroTime(Date.UTC(2026, 0, 2, 3, 4, 5))).toBe('2026-01-02T03:04:05.000000Z')
})
