import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { parseTrace } from './read-trace.ts'
import { percentile, type SimulationResult } from './result.ts'
import { runSimulate, type SimulateOptions } from './run-simulate.ts'

const example = (name: string): string => fileURLToPath(new URL(`../../../examples/simulate/${name}`, import.meta.url))

const run = async (options: Partial<SimulateOptions>): Promise<string> => {
  let out = ''
  const stdout = { write: (text: string) => (out += text) }
  const base = { filename: [example('')], seed: 1, for: '40m', output: 'json', schema: false } as const
  await runSimulate({ ...base, ...options }, { stdout, stderr: { write: () => true }, env: {}, now: () => 0 })
  return out
}

describe('kerf simulate', () => {
  test('counts cost, waits and nodes, the same for the same seed', async () => {
    const trace = example('traces/diurnal.yaml')
    const first = JSON.parse(await run({ trace })) as SimulationResult
    expect(first.span).toBeGreaterThanOrEqual(40 * 60_000)
    expect(first.cost).toBeGreaterThan(0)
    expect(first.launches).toBeGreaterThan(0)
    expect(first.waits.p50).toBeGreaterThan(0)
    expect(first.waitingAtEnd).toBe(0)
    // What was paid is what the machines of each minute cost.
    const spent = first.samples.reduce((sum, { hourlyCost }) => sum + hourlyCost / 60, 0)
    expect(Math.abs(spent - first.cost) / first.cost).toBeLessThan(0.1)
    expect(JSON.parse(await run({ trace }))).toEqual(first)
  })

  test('two settings beside each other, as a page that needs nothing else', async () => {
    const page = await run({
      compare: [example('pools/eager.yaml'), example('pools/calm.yaml')],
      for: '20m',
      output: 'html',
    })
    expect(page).toContain('eager.yaml')
    expect(page).toContain('calm.yaml')
    expect(page.match(/<svg/g)).toHaveLength(5)
    expect(page).not.toMatch(/<script|src=|href=|url\(/)
  })

  test('a trace for a workload that is not there says so', async () => {
    await expect(
      run({ filename: [example('pools/calm.yaml')], trace: example('traces/diurnal.yaml') }),
    ).rejects.toThrow('the trace scales Deployment default/web, which the manifests do not have')
  })

  test.each([
    ['events: [{at: 1h, scael: {}}]', 'events[0].scael: there is no such event; did you mean scale?'],
    [
      'events: [{at: 1h}]',
      'events[0]: exactly one of scale, interrupt, outage, price, apply, delete is needed, found none',
    ],
    ['diurnal: [{name: web, low: -1, high: 3}]', 'diurnal[0].low'],
    ['events: [{at: soon, interrupt: {share: 1}}]', 'events[0].at'],
    ['a: [', 'not valid YAML'],
  ])('%s', (text, problem) => expect(() => parseTrace(text, 'trace.yaml')).toThrow(problem))

  test('percentiles are values that occurred', () => {
    expect(percentile([1, 2, 3, 4], 0.5)).toBe(2)
    expect(percentile([1, 2, 3, 4], 0.99)).toBe(4)
    expect(percentile([], 0.5)).toBe(0)
  })
})
