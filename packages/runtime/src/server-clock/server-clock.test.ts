import { describe, expect, test } from 'vitest'
import { VIRTUAL_EPOCH, VirtualClock } from '../clock/virtual-clock.ts'
import { RecordingLogger } from '../logging/recording-logger.ts'
import { PrometheusMetrics } from '../metrics/prometheus-metrics.ts'
import { SkewedClock } from '../testing/skewed-clock.ts'
import { ServerClock } from './server-clock.ts'

const minutes = (count: number): number => count * 60_000
const wholeSecond = (at: number): number => Math.floor(at / 1_000) * 1_000

/** A machine whose clock is `ahead` of the true time. It gets the true time from an API server. */
const machine = (ahead: number) => {
  const harness = new VirtualClock({ start: VIRTUAL_EPOCH + 400 })
  const own = new SkewedClock(harness, ahead)
  const logger = new RecordingLogger()
  const metrics = new PrometheusMetrics()
  const clock = new ServerClock(own, { logger, metrics })
  return {
    ...{ harness, own, clock },
    /** Receives responses of a server whose clock is ahead by `off`. They are 700 ms apart, and each takes a tenth of a second. */
    async answers(count: number, off = 0): Promise<void> {
      for (let index = 0; index < count; index++) {
        const sentAt = clock.monotonic()
        await harness.advance(100)
        clock.observeHeader(wholeSecond(harness.now() + off), sentAt)
        await harness.advance(1_600)
      }
    },
    created: (off = 0): void => clock.observeCreation(wholeSecond(harness.now() + off), clock.monotonic()),
    error: (): number => clock.now() - harness.now(),
    warnings: (): readonly string[] => logger.messages('warn'),
    infos: (): readonly string[] => logger.messages('info'),
    gauge: async (name: string) =>
      /^\S+ (\S+)$/m.exec((await metrics.text()).split(`# TYPE ${name} gauge\n`)[1] ?? '')?.[1],
  }
}

describe('the time of the API server', () => {
  test.each([
    [minutes(16), '960 s ahead of'],
    [minutes(-16), '960 s behind'],
    [31_000, '31 s ahead of'],
  ])('is accurate to a second after one response, and to 0.3 s after sixteen: %d ms', async (ahead, said) => {
    const { answers, error, warnings, clock, gauge } = machine(ahead)
    await answers(1)
    expect(Math.abs(error())).toBeLessThanOrEqual(600)
    await answers(15)
    expect(Math.abs(error())).toBeLessThanOrEqual(300)
    expect(warnings()).toHaveLength(1)
    expect(warnings()[0]).toMatch(
      new RegExp(`this machine is (${said}|${said.replace(/\d+/, (s) => String(+s - 1))}) the API server's`),
    )
    expect(clock.problem).toBeUndefined()
    expect(Math.abs(Number(await gauge('kerf_clock_difference_seconds')) - ahead / 1_000)).toBeLessThan(1)
  })

  test('is the local time while both clocks agree, and while there is no response', async () => {
    const right = machine(200)
    expect(right.error()).toBe(200)
    await right.answers(20)
    expect(right.error()).toBe(200)
    expect(right.warnings()).toEqual([])
    expect(await right.gauge('kerf_clock_difference_seconds')).toBe('0')
    const silent = machine(minutes(16))
    await silent.harness.advance(minutes(5))
    expect(silent.error()).toBe(minutes(16))
    expect(await silent.gauge('kerf_clock_difference_seconds')).toBe('Nan')
    // The proxy removes the header, but not the creationTimestamp.
    silent.created()
    expect(Math.abs(silent.error())).toBeLessThanOrEqual(1_000)
  })

  test('does not change if the local clock jumps forward or back, and is logged when both agree again', async () => {
    for (const jump of [minutes(16), minutes(-16)]) {
      const { own, answers, error, warnings, infos } = machine(0)
      await answers(3)
      own.ahead = jump
      expect(Math.abs(error())).toBeLessThanOrEqual(1_000)
      await answers(3)
      expect(Math.abs(error())).toBeLessThanOrEqual(1_000)
      expect(warnings()).toHaveLength(1)
      own.ahead = 0
      await answers(1)
      expect(error()).toBe(0)
      expect(infos()).toHaveLength(1)
    }
  })

  test('is correct again after the first response when the machine was suspended', async () => {
    const { own, answers, error, warnings, clock } = machine(0)
    await answers(16)
    // During the suspension, the wall clock continued and the monotonic clock stood still. The true time has therefore also passed.
    own.ahead = minutes(30)
    await answers(1, minutes(30))
    expect(error()).toBe(minutes(30))
    expect(clock.problem).toBeUndefined()
    expect(warnings()).toEqual([])
  })

  test('prevents launches if the clocks differ by more than an hour, until they agree', async () => {
    const { own, answers, warnings, clock, error } = machine(minutes(-61))
    await answers(2)
    expect(clock.problem).toMatch(/^the clock of this machine is 36(59|60) s behind the API server's$/)
    expect(warnings()[0]).toContain('Kerf launches nothing')
    own.ahead = 0
    await answers(1)
    expect(clock.problem).toBeUndefined()
    expect(error()).toBe(0)
  })

  test('is between the times of API servers that differ, and prevents launches if they differ by more than a minute', async () => {
    const mild = machine(0)
    for (let round = 0; round < 10; round++) await mild.answers(1, round % 2 === 0 ? 0 : 40_000)
    expect(mild.error()).toBe(0)
    expect(mild.clock.problem).toBeUndefined()
    expect(mild.warnings()[0]).toMatch(/the clocks of the API servers, or of a proxy before them, differ by 39 s/)
    const { answers, clock, gauge } = machine(0)
    for (let round = 0; round < 10; round++) await answers(1, round % 2 === 0 ? 0 : minutes(16))
    expect(clock.problem).toMatch(/differ by 9(59|60) s$/)
    expect(Number(await gauge('kerf_clock_server_disagreement_seconds'))).toBeGreaterThan(958)
    await answers(16)
    expect(clock.problem).toBeUndefined()
  })

  test('is correct after the first object is created, even if a proxy sends a wrong header', async () => {
    const { answers, created, clock, error } = machine(0)
    await answers(16, minutes(16))
    expect(Math.abs(error() - minutes(16))).toBeLessThan(1_000)
    created()
    expect(clock.problem).toMatch(/differ by 9(59|60) s$/)
    await answers(16, minutes(16))
    expect(clock.problem).toBeDefined()
  })

  test('is logged every ten minutes while the clocks differ, and at once if the difference changes', async () => {
    const { own, answers, warnings, harness } = machine(minutes(2))
    await answers(100)
    expect(warnings()).toHaveLength(1)
    await harness.advance(minutes(8))
    await answers(1)
    expect(warnings()).toHaveLength(2)
    own.ahead = minutes(4)
    await answers(1)
    expect(warnings()).toHaveLength(3)
  })
})
