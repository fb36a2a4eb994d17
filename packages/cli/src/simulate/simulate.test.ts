import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { UsageError } from '@kerf/provider-kit/command-line'
import { defaultFeatureGates } from '@kerf/runtime'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parseTrace } from './read-trace.ts'
import { percentile, type SimulationResult } from './result.ts'
import { runSimulate } from './run-simulate.ts'
import type { SimulateOptions } from './simulate-options.ts'

const example = (name: string): string =>
  fileURLToPath(new URL(`../../../../examples/simulate/${name}`, import.meta.url))

const told = async (options: Partial<SimulateOptions>): Promise<{ readonly out: string; readonly err: string }> => {
  let out = ''
  let err = ''
  const stdout = { write: (text: string) => (out += text) }
  const stderr = { write: (text: string) => (err += text) }
  const base = { filename: [example('')], seed: 1, for: '40m', output: 'json', schema: false } as const
  await runSimulate({ ...base, ...options }, { stdout, stderr, env: {}, now: () => 0 })
  return { out, err }
}

const run = async (options: Partial<SimulateOptions>): Promise<string> => (await told(options)).out

/** Writes a temporary file and deletes it when the test ends. */
const written = async (text: string): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'kerf-simulate-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'given.yaml')
  await writeFile(file, text)
  return file
}

const pool = (more: string): string => `
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: general}
spec:
  template:
    spec:
      nodeClassRef: {group: karpenter.kwok.sh, kind: KWOKNodeClass, name: default}
      requirements: [{key: kubernetes.io/os, operator: In, values: [linux]}]
  ${more}
`

const web = `---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 6
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: main, image: main, resources: {requests: {cpu: 100m}}}]}
`

describe('kerf simulate', () => {
  test('counts the overhead cost of each node for as long as the node exists', async () => {
    const filename = [await written(pool('') + web)]
    const [bare, dear] = await Promise.all(
      [0, 0.5].map(
        async (nodeOverheadCost) =>
          JSON.parse(await run({ filename, for: '10m', nodeOverheadCost })) as SimulationResult,
      ),
    )
    if (bare === undefined || dear === undefined) throw new Error('no result')
    expect(dear.nodeHours).toBeCloseTo(bare.nodeHours, 6)
    expect(dear.cost - bare.cost).toBeCloseTo(0.5 * bare.nodeHours, 6)
    expect(dear.samples.at(-1)?.hourlyCost).toBeCloseTo((bare.samples.at(-1)?.hourlyCost ?? 0) + 0.5, 6)
  })

  test('counts cost, waits and nodes, and gives equal results for the same seed', async () => {
    const trace = example('traces/diurnal.yaml')
    const first = JSON.parse(await run({ trace })) as SimulationResult
    expect(first.span).toBeGreaterThanOrEqual(40 * 60_000)
    expect(first.cost).toBeGreaterThan(0)
    expect(first.launches).toBeGreaterThan(0)
    expect(first.waits.p50).toBeGreaterThan(0)
    expect(first.waitingAtEnd).toBe(0)
    // The cost is the sum over all minutes of the hourly cost, divided by 60.
    const spent = first.samples.reduce((sum, { hourlyCost }) => sum + hourlyCost / 60, 0)
    expect(Math.abs(spent - first.cost) / first.cost).toBeLessThan(0.1)
    expect(JSON.parse(await run({ trace }))).toEqual(first)
  })

  test('compares two configurations on one self-contained page', async () => {
    const page = await run({
      compare: [example('pools/eager.yaml'), example('pools/calm.yaml')],
      instanceTypes: 'kwok',
      for: '20m',
      output: 'html',
    })
    // The path is quoted if the path of the checkout contains a space.
    expect(page).toMatch(/calm\.yaml\S* --instance-types kwok --seed 1 --for 20m -o html<\/code>/)
    expect(page).toContain('20 minutes of cluster life, seed 1.')
    expect(page).toContain('eager.yaml')
    expect(page).toContain('calm.yaml')
    expect(page.match(/<svg/g)).toHaveLength(5)
    expect(page).not.toMatch(/<script|src=|href=|url\(/)
  })

  test('two files with the same name are distinguished by their paths', async () => {
    const compare = [await written(pool('replicas: 0')), await written(pool('replicas: 1'))]
    const results = JSON.parse(await run({ compare, for: '1m' })) as readonly SimulationResult[]
    expect(results.map(({ name }) => name)).toEqual(compare)
  })

  test('a trace for an unknown workload is an error', async () => {
    const asked = run({ filename: [example('pools/calm.yaml')], trace: example('traces/diurnal.yaml') })
    await expect(asked).rejects.toThrow('the trace scales Deployment default/web, which the manifests do not have')
    await expect(asked).rejects.toBeInstanceOf(UsageError)
  })

  test.each([
    [
      'outage: {zone: test-zone-q, for: 1h}',
      'outage.zone: the simulated cloud does not offer "test-zone-q"; did you mean',
    ],
    [
      'price: {instanceType: metal, factor: 2}',
      'price.instanceType: the simulated cloud does not offer "metal"; it has',
    ],
    ['interrupt: {zone: mars}', 'interrupt.zone: the simulated cloud does not offer "mars"; it has test-zone-a, test'],
  ])('a trace that names an instance type or zone without offerings is an error: %s', async (event, problem) => {
    const trace = await written(`events: [{at: 1m, ${event}}]`)
    const asked = run({ trace })
    await expect(asked).rejects.toThrow(`${trace}: events[0].${problem}`)
    await expect(asked).rejects.toBeInstanceOf(UsageError)
  })

  test('reports trace events after the default end, unless the user set the end', async () => {
    const filename = [await written(pool('replicas: 0'))]
    const trace = await written('events: [{at: 25h, price: {factor: 2}}]')
    // This line is written before the simulation, so the test stops here and does not simulate a whole day.
    const write = (text: string): never => {
      throw new Error(text)
    }
    const streams = { stdout: { write }, stderr: { write }, env: {}, now: () => 0 }
    await expect(runSimulate({ filename, trace, seed: 1, output: 'json', schema: false }, streams)).rejects.toThrow(
      '1 event of the trace comes after 24h, when the simulation ends: see --for',
    )
    expect((await told({ filename, trace, for: '6m' })).err).not.toContain('event')
  })

  describe('pods that a PodDisruptionBudget protects', () => {
    const held = `${web}---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: web}
spec: {maxUnavailable: 0, selector: {matchLabels: {app: web}}}
`
    const kept = 'disruption: {consolidateAfter: Never}'

    test('are lost with an interrupted spot instance', async () => {
      const filename = [await written(`${pool(kept)}${held}`)]
      const trace = await written('events: [{at: 5m, interrupt: {}}]')
      const result = JSON.parse(await run({ filename, trace, for: '20m' })) as SimulationResult
      expect(result).toMatchObject({ interruptions: 1, evictions: 0, lost: 6, pods: 12, disruptionsPerPod: 0.5 })
      expect(result.mostDisrupted).toEqual([{ workload: 'default/web', disruptions: 6, pods: 12 }])
    })

    test('are evicted by force, once each, if the claim has a terminationGracePeriod', async () => {
      const forced = pool(kept).replace(
        'requirements:',
        'expireAfter: 10m\n      terminationGracePeriod: 1m\n      requirements:',
      )
      const filename = [await written(`${forced}${held}`)]
      const result = JSON.parse(await run({ filename, for: '15m' })) as SimulationResult
      expect(result).toMatchObject({ evictions: 6, lost: 0, pods: 12 })
    })
  })

  test('unschedulable pods count as waiting until the end, with the reason', async () => {
    const none = pool('').replace('values: [linux]', 'values: [plan9]')
    const filename = [await written(`${none}${web}`)]
    const result = JSON.parse(await run({ filename, for: '5m' })) as SimulationResult
    const why =
      'nodepool/general: no instance type is left: its requirements leave no available offering of the catalogue'
    expect(result.withoutPlace).toEqual([{ workload: 'default/web', pods: 6, why }])
    expect(result.waits.p50).toBeGreaterThan(4 * 60_000)
    expect(await run({ filename, for: '5m', output: 'table' })).toContain(`default/web: 6 pods: ${why}`)
    expect(JSON.parse(await run({ for: '5m' }))).toMatchObject({ withoutPlace: [] })
  })

  test('pods that are deleted before they run count as waiting until then', async () => {
    const none = pool('').replace('values: [linux]', 'values: [plan9]')
    const filename = [await written(`${none}${web}`)]
    const trace = await written('events: [{at: 4m, scale: {name: web, replicas: 0}}]')
    const { waits, waitingAtEnd } = JSON.parse(await run({ filename, trace, for: '6m' })) as SimulationResult
    expect(waitingAtEnd).toBe(0)
    expect(waits.p50).toBeGreaterThan(3.5 * 60_000)
    expect(waits.p50).toBeLessThanOrEqual(4.5 * 60_000)
  })

  test('pods that were pending during the warm-up of a recorded cluster wait from the start of the measurement', async () => {
    const recording =
      '{from: "2026-01-01T09:00:00Z", span: 5m, end: asked, instanceTypes: [], zones: [], leftOut: [], samples: []}'
    const none = pool('').replace('values: [linux]', 'values: [plan9]')
    const filename = [await written(`${none}${web}`)]
    const trace = await written(`recording: ${recording}`)
    const { waits } = JSON.parse(await run({ filename, trace, for: '5m' })) as SimulationResult
    expect([waits.p50, waits.longest]).toEqual([5 * 60_000, 5 * 60_000])
  })

  test('reports objects of a dump that have no effect, and leaves them out; a misspelt kind is an error', async () => {
    const rollout = '---\napiVersion: argoproj.io/v1alpha1\nkind: Rollout\nmetadata: {name: web}\n'
    const scaler = '---\napiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: web}\nspec: {}\n'
    const filename = [await written(`${pool('replicas: 0')}${rollout}${scaler}`)]
    const { err } = await told({ filename, for: '1m' })
    expect(err).toContain('ignored: Rollout web, of API groups that the simulated cluster does not have')
    const definition = `---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: rollouts.argoproj.io}
spec:
  group: argoproj.io
  scope: Namespaced
  names: {plural: rollouts, kind: Rollout}
  versions: [{name: v1alpha1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
`
    const defined = [await written(`${pool('replicas: 0')}${rollout}${definition}`)]
    expect((await told({ filename: defined, for: '1m' })).err).not.toContain('left out')
    expect(err).toContain(
      'HorizontalPodAutoscaler web has no effect: pods have no load in the simulation; use scaling events in the trace',
    )
    const misspelt = [await written(`${pool('replicas: 0')}${web.replace('Deployment', 'Deploymet')}`)]
    await expect(run({ filename: misspelt, for: '1m' })).rejects.toThrow('there is no kind Deploymet in apps/v1')
  })

  test('a trace that deletes an object that never existed is reported', async () => {
    const filename = [await written(pool('replicas: 0'))]
    const trace = await written(
      'events: [{at: 1m, delete: {apiVersion: karpenter.sh/v1, kind: NodePool, name: nobody}}]',
    )
    expect((await told({ filename, trace, for: '2m' })).err).toContain(
      '1 event of the trace was rejected: NodePool nobody: ',
    )
  })

  test('a static pool gets its nodes with the feature gate; without the gate, a line says that it gets none', async () => {
    const filename = [await written(pool('replicas: 3'))]
    const without = await told({ filename, for: '5m' })
    expect(without.err).toBe(
      'NodePool general (a static pool) has no effect without --feature-gates StaticCapacity=true\n',
    )
    expect(JSON.parse(without.out)).toMatchObject({ launches: 0 })
    const featureGates = { ...defaultFeatureGates, StaticCapacity: true }
    const gated = await told({ filename, for: '5m', featureGates })
    expect(gated.err).toBe('')
    expect(JSON.parse(gated.out)).toMatchObject({ launches: 3 })
  })

  test('a disruption budget that cannot be parsed is reported, with the consequence', async () => {
    const budgets = 'disruption: {budgets: [{nodes: "1", schedule: "61 * * * *", duration: 1h}]}'
    expect((await told({ filename: [await written(pool(budgets))], for: '5m' })).err).toBe(
      'NodePool general: budget 0: end of range (61) above maximum (59): 61; no node of this NodePool is disrupted until it is corrected\n',
    )
  })

  test('an axis of counts has whole numbers, and all labels differ', async () => {
    const page = await run({ for: '20m', output: 'html' })
    const figure = (title: string): readonly (string | undefined)[] =>
      [...(page.split(`<figcaption>${title}<`)[1]?.split('</figure>')[0] ?? '').matchAll(/class="left">([^<]*)</g)].map(
        ([, text]) => text,
      )
    expect(figure('Nodes')).toEqual(['0', '1', '2', '3', '4'].slice(0, figure('Nodes').length))
    for (const title of ['Cost per hour', 'Cost so far', 'Nodes', 'Running pods', 'Pending pods']) {
      expect(figure(title).length).toBeGreaterThan(1)
      expect(new Set(figure(title)).size).toBe(figure(title).length)
    }
    expect(page).toContain('5 min</text>')
  })

  test.each([
    ['', 'is empty'],
    ['# nothing but a comment', 'is empty'],
    ['diurnal: [{name: web, low: 1, high: 3, every: 0s}]', 'diurnal[0].every: 0s is less than a second'],
    ['diurnal: [{name: web, low: 5, high: 3}]', 'diurnal[0]: low is 5 and high is 3; low must not exceed high'],
    ['events: [{at: 1h, interrupt: {capacityType: on-demand}}]', 'events[0].interrupt'],
    ['events: [{at: 1h, scael: {}}]', 'events[0].scael: unknown event; did you mean scale?'],
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
