import { describe, expect, test, vi } from 'vitest'
import { ApiError } from '../kube-client/api-error.ts'
import { unreachableError } from '../testing/fake-api.ts'
import { failed, fixture } from './testing/recorder-fixture.ts'

const answered = (code: number): ApiError => new ApiError({ code, reason: 'Answered', message: `answered ${code}` })

describe('the delivery of an Event to the server', () => {
  test.each([400, 403, 499])('is not repeated after a response with %i', async (code) => {
    const { api, clock, recorder, written } = fixture()
    api.failures.push(answered(code))
    recorder.publish(failed('cart', 'no room'))
    await clock.advance(60_000)
    expect(written()).toEqual([])
    expect(api.calls).toEqual(['create Event'])
  })

  test.each([0, 429, 500, 503])('is repeated after a failure with %i', async (code) => {
    const { api, clock, recorder, written } = fixture()
    api.failures.push(answered(code))
    recorder.publish(failed('cart', 'no room'))
    await clock.advance(60_000)
    expect(written()).toHaveLength(1)
  })

  test('is tried four times, with pauses of 1, 2 and 4 seconds plus up to half of that, before the next Event follows', async () => {
    const { api, clock, random, recorder, written } = fixture()
    vi.spyOn(random, 'next').mockReturnValueOnce(0).mockReturnValue(1)
    vi.spyOn(random, 'text').mockReturnValue('0123456789abcdef')
    const tried: number[] = []
    let isAway = true
    api.before = () => {
      tried.push(clock.monotonic())
      if (isAway) throw unreachableError()
    }
    recorder.publish(failed('cart', 'no room'))
    recorder.publish(failed('shelf', 'no room'))
    await clock.advance(9_999)
    expect(tried).toEqual([0, 1_000, 4_000])
    await clock.advance(1)
    isAway = false
    await clock.advance(10_000)
    expect(tried.slice(3)).toEqual([10_000, 10_000, 11_500])
    expect(written().map(({ involvedObject }) => involvedObject.name)).toEqual(['shelf'])
  })

  test('counts a repetition on the existing Event later if that failed before', async () => {
    const { api, clock, recorder, written } = fixture()
    recorder.publish(failed('cart', 'no room'))
    await clock.settle()
    api.failures.push(unreachableError())
    recorder.publish(failed('cart', 'no room'))
    await clock.advance(10_000)
    expect(written().map(({ count, lastTimestamp }) => [count, lastTimestamp])).toEqual([[2, '2026-01-01T00:00:00Z']])
  })

  test('does not delay the close of an idle recorder', async () => {
    const { clock, recorder } = fixture()
    await recorder.close()
    expect(clock.pending).toBe(0)
  })

  test('delays the close by at most two seconds by default', async () => {
    const { api, clock, recorder } = fixture()
    api.before = () => new Promise(() => {})
    recorder.publish(failed('cart', 'no room'))
    let isClosed = false
    void recorder.close().then(() => {
      isClosed = true
    })
    await clock.advance(1_999)
    expect(isClosed).toBe(false)
    await clock.advance(1)
    expect(isClosed).toBe(true)
  })
})
