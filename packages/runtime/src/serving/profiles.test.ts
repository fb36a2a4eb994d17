import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { haveGo } from '@kerf/control-plane'
import { Profile } from 'pprof-format'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SystemClock } from '../clock/system-clock.ts'
import { silentLogger } from '../logging/silent-logger.ts'
import { PrometheusMetrics } from '../metrics/prometheus-metrics.ts'
import { type Endpoints, serveEndpoints } from './endpoints.ts'

const directory = mkdtempSync(join(tmpdir(), 'kerf-pprof-'))
let endpoints: Endpoints
beforeAll(async () => {
  endpoints = await serveEndpoints({
    clock: new SystemClock(),
    metrics: new PrometheusMetrics(),
    logger: silentLogger,
    metricsPort: 0,
    healthProbePort: 0,
    address: '127.0.0.1',
    ready: {},
    profiling: true,
  })
})
afterAll(async () => {
  await endpoints.close()
  rmSync(directory, { recursive: true, force: true })
})

const get = (path: string): Promise<Response> => fetch(`http://127.0.0.1:${endpoints.metrics.port}/debug/pprof/${path}`)
const pathProfile = async (path: string): Promise<Buffer> => {
  const answer = await get(path)
  expect(answer.status).toBe(200)
  return Buffer.from(await answer.arrayBuffer())
}
const decoded = (bytes: Buffer) => {
  const { stringTable, sampleType, sample, ...rest } = Profile.decode(gunzipSync(bytes))
  const units = sampleType.map(
    ({ type, unit }) => `${stringTable.strings[Number(type)]}/${stringTable.strings[Number(unit)]}`,
  )
  return { units, sample, strings: stringTable.strings, ...rest }
}

/** Uses a core for some time without a pause. V8 may inline it, so that it appears as its caller. */
const burnedByTheTest = (): number => {
  let sum = 0
  for (let i = 0; i < 3e7; i++) sum += Math.sqrt(i)
  return sum
}
const BURNER = /burnedByTheTest|whileBurning/
const whileBurning = async <T>(work: Promise<T>): Promise<T> => {
  let over = false
  const end = (): void => {
    over = true
  }
  work.then(end, end)
  while (!over) {
    burnedByTheTest()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return await work
}

interface Held {
  readonly index: number
  readonly text: string
}
const heldByTheTest = (count: number): readonly Held[] =>
  Array.from({ length: count }, (_, index) => ({ index, text: `held ${index}` }))

describe('profiles', () => {
  test('of the CPU show where time goes, in pprof’s format', async () => {
    const { units, strings, period, durationNanos, sample } = decoded(
      await whileBurning(pathProfile('profile?seconds=1')),
    )
    expect(units).toEqual(['samples/count', 'cpu/nanoseconds'])
    expect(strings.join(' ')).toMatch(BURNER)
    expect(strings).not.toContain('(idle)')
    expect(period).toBe(10_000_000)
    expect(Number(durationNanos)).toBeGreaterThanOrEqual(1e9)
    const cpu = sample.reduce((sum, { value }) => sum + Number(value[1]), 0)
    expect(cpu).toBeGreaterThan(0)
  })

  test('of the heap show what is held, without taking a snapshot', async () => {
    const held = heldByTheTest(300_000)
    const { units, strings, sample } = decoded(await pathProfile('heap'))
    expect(units).toEqual(['inuse_space/bytes'])
    expect(strings).toContain('heldByTheTest')
    const bytes = sample.reduce((sum, { value }) => sum + Number(value[0]), 0)
    // At least the memory that the test holds. The profile is sampled, so it is not exact.
    expect(bytes).toBeGreaterThan(held.length * 30)
  })

  test('of allocations include what was already collected, and are taken one at a time', async () => {
    const taking = pathProfile('allocs?seconds=1')
    let busy = await get('heap')
    while (busy.status === 200) busy = await get('heap')
    expect(busy.status).toBe(503)
    expect(await busy.text()).toContain('try again')
    for (let i = 0; i < 20; i++) heldByTheTest(50_000)
    const { units, strings } = decoded(await taking)
    expect(units).toEqual(['alloc_space/bytes'])
    expect(strings).toContain('heldByTheTest')
    expect((await get('heap')).status).toBe(200)
  })

  test('have a maximum duration', async () => {
    expect((await get('profile?seconds=301')).status).toBe(400)
    expect((await get('profile?seconds=soon')).status).toBe(400)
  })

  test('of kinds that V8 does not have are empty, or the response says so', async () => {
    for (const name of ['block', 'mutex', 'threadcreate']) expect(decoded(await pathProfile(name)).sample).toEqual([])
    expect(decoded(await pathProfile('goroutine')).units).toEqual(['goroutine/count'])
    expect(await (await get('goroutine?debug=1')).text()).toMatch(/^goroutine profile: total \d+\n/)
    expect((await get('cmdline')).status).toBe(200)
    expect(await (await get('symbol')).text()).toBe('num_symbols: 0\n')
    expect((await get('trace?seconds=1')).status).toBe(501)
    expect(await (await get('')).text()).toContain('heap')
  })

  test.runIf(haveGo())(
    'are read by go tool pprof',
    async () => {
      const top = async (name: string, bytes: Buffer): Promise<string> => {
        const file = join(directory, name)
        writeFileSync(file, bytes)
        return (await promisify(execFile)('go', ['tool', 'pprof', '-top', file])).stdout
      }
      const held = heldByTheTest(300_000)
      const heap = await top('heap', await pathProfile('heap'))
      expect(heap).toContain('Type: inuse_space')
      expect(heap).toMatch(/\d+(\.\d+)?[kM]B +\d+(\.\d+)?% .* heldByTheTest/)
      const cpu = await top('cpu', await whileBurning(pathProfile('profile?seconds=1')))
      expect(cpu).toContain('Type: cpu')
      expect(cpu).toMatch(/\d+m?s +\d+(\.\d+)?% .* (burnedByTheTest|whileBurning)/)
      for (const name of ['allocs?seconds=1', 'goroutine', 'block'])
        expect(await top('other', await pathProfile(name))).toContain('Type: ')
      expect(held).toHaveLength(300_000)
      // Go builds the tool on its first use, which takes a long time.
    },
    240_000,
  )
})
