import { kinds } from '@kerf/apis'
import { describe, expect, test } from 'vitest'
import type { Clock } from '../clock/clock.ts'
import { VirtualClock } from '../clock/virtual-clock.ts'
import { ApiEventRecorder } from '../events/api-event-recorder.ts'
import { silentLogger } from '../logging/silent-logger.ts'
import { PrometheusMetrics } from '../metrics/prometheus-metrics.ts'
import { SeededRandom } from '../random/seeded-random.ts'
import { tokenReviews } from '../serving/review-kinds.ts'
import { FakeApi, unreachableError } from '../testing/fake-api.ts'
import { json, node, served } from '../testing/http-fixture.ts'
import { LeaseGate } from './lease-gate.ts'
import { candidate } from './testing/candidate.ts'

const gateOf = (clock: VirtualClock, metrics = new PrometheusMetrics()) => new LeaseGate(clock, metrics, 'a/b')

/** Returns the clock of a process that was suspended for some time: time has passed, but no timer has fired. */
const stoppedFor = (clock: VirtualClock, offset: () => number): Clock => ({
  now: () => clock.now() + offset(),
  monotonic: () => clock.monotonic() + offset(),
  timer: (after, fire) => clock.timer(after, fire),
})

describe('the gate of a leader', () => {
  test('is open until ten seconds after the last renewal was sent, and closes before another process may lead', async () => {
    const api = new FakeApi()
    const clock = new VirtualClock()
    const gate = gateOf(clock)
    candidate('a', api, clock, { gate }).start()
    const b = candidate('b', api, clock)
    await clock.advance(60_000)
    b.start()
    await clock.advance(20_000)
    expect(gate.isOpen).toBe(true)
    let renewedAt = clock.monotonic()
    api.before = () => {
      renewedAt = clock.monotonic()
    }
    await clock.advance(10_000)
    const last = renewedAt
    api.before = () => new Promise(() => {})
    await clock.advance(last + 9_999 - clock.monotonic())
    expect(gate.isOpen).toBe(true)
    await clock.advance(1)
    expect(gate.isOpen).toBe(false)
    expect(b.state.leads).toBe(false)
    expect(() => gate.check()).toThrow('lost the lease a/b')
  })

  test('makes a leader that was suspended read the Lease before it writes it, and end if another process leads', async () => {
    const api = new FakeApi()
    const clock = new VirtualClock()
    let offset = 0
    const stopped = stoppedFor(clock, () => offset)
    const gate = new LeaseGate(stopped, new PrometheusMetrics(), 'a/b')
    const a = candidate('a', api, stopped, { gate })
    a.start()
    await clock.advance(5_000)
    const [held] = api.objects(kinds.Lease)
    if (held === undefined) throw new Error('no lease')
    api.put(kinds.Lease, { ...held, spec: { ...held.spec, holderIdentity: 'b' } })
    offset = 60_000
    expect(gate.isOpen).toBe(false)
    api.calls.length = 0
    await clock.advance(5_000)
    expect(api.calls).toEqual(['get Lease'])
    expect(a.state).toMatchObject({ leads: false, lost: true })
  })

  test('stays closed if a leader that was suspended cannot read the Lease, and the log says why', async () => {
    const api = new FakeApi()
    const clock = new VirtualClock()
    let offset = 0
    const stopped = stoppedFor(clock, () => offset)
    const gate = new LeaseGate(stopped, new PrometheusMetrics(), 'a/b')
    const a = candidate('a', api, stopped, { gate })
    a.start()
    await clock.advance(5_000)
    offset = 60_000
    api.calls.length = 0
    api.before = () => {
      throw unreachableError()
    }
    await clock.advance(5_000)
    expect(api.calls).toEqual(['get Lease'])
    expect(a.state).toMatchObject({ leads: false, lost: true })
    expect(gate.isOpen).toBe(false)
    expect(a.logger.lines.filter(({ level }) => level === 'error')).toMatchObject([
      { message: 'could not get or renew the lease, retrying', fields: { error: unreachableError() } },
    ])
  })

  test('opens again if no other process has taken the Lease meanwhile', async () => {
    const api = new FakeApi()
    const clock = new VirtualClock()
    let offset = 0
    const stopped = stoppedFor(clock, () => offset)
    const gate = new LeaseGate(stopped, new PrometheusMetrics(), 'a/b')
    const a = candidate('a', api, stopped, { gate })
    a.start()
    await clock.advance(5_000)
    offset = 60_000
    expect(gate.isOpen).toBe(false)
    await clock.advance(5_000)
    expect(a.state).toMatchObject({ leads: true, lost: false })
    expect(gate.isOpen).toBe(true)
  })
})

describe('behind a closed gate', () => {
  const closed = async () => {
    const clock = new VirtualClock()
    const metrics = new PrometheusMetrics()
    const gate = gateOf(clock, metrics)
    const fixture = await served((_request, response) => json(response, node('a')), { gate })
    gate.holdUntil(clock.monotonic())
    return { ...fixture, gate, clock, metrics }
  }

  test('no write of any kind is sent, but reads are', async () => {
    const { client, seen, metrics } = await closed()
    const body = { type: 'merge' as const, body: {} }
    const ref = { name: 'a', namespace: 'b' }
    const writes = [
      () => client.create(kinds.Node, node('a')),
      () => client.update(kinds.Node, node('a')),
      () => client.patch(kinds.Node, { name: 'a' }, body),
      () => client.patch(kinds.Pod, ref, body, { subresource: 'status' }),
      () => client.delete(kinds.Node, { name: 'a' }),
      () => client.evict(ref),
      () => client.bind(ref, 'a'),
    ]
    for (const write of writes) await expect(write()).rejects.toThrow('lost the lease')
    expect(seen).toEqual([])
    await client.get(kinds.Node, { name: 'a' })
    await client.create(tokenReviews, {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenReview',
      metadata: {},
      spec: { token: 'x' },
    })
    expect(seen.map(({ method }) => method)).toEqual(['GET', 'POST'])
    expect(await metrics.text()).toContain(`kerf_writes_refused_without_lease_total ${writes.length}`)
  })

  test('a write is not retried: the gate is checked before each attempt', async () => {
    const clock = new VirtualClock()
    const gate = gateOf(clock)
    const { client, seen } = await served(
      (_request, response) => {
        gate.holdUntil(clock.monotonic())
        json(response, { kind: 'Status', code: 429 }, 429, { 'retry-after': '1' })
      },
      { gate },
    )
    await expect(client.create(kinds.Node, node('a'))).rejects.toThrow('lost the lease')
    expect(seen).toHaveLength(1)
  })

  test('no Event is sent', async () => {
    const { client, seen } = await closed()
    const clock = new VirtualClock()
    const events = new ApiEventRecorder({
      client,
      clock,
      random: new SeededRandom(1),
      logger: silentLogger,
      metrics: new PrometheusMetrics(),
    })
    events.publish({ object: node('a'), type: 'Normal', reason: 'Registered', message: 'x' })
    const over = events.close()
    await clock.advance(10_000)
    await over
    expect(seen).toEqual([])
  })
})

test('is always open without leader election', async () => {
  const { client, seen } = await served((_request, response) => json(response, node('a')))
  await client.create(kinds.Node, node('a'))
  expect(seen).toHaveLength(1)
})
