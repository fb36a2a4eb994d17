import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { kwokNodeClass } from '@kerf/provider-kwok/testing/node-class'
import { nodePool, pod } from '@kerf/testing'
import { expect, onTestFinished, test } from 'vitest'
import { parseManifests } from '../manifests/parse-manifests.ts'
import { runPlan } from '../plan/run-plan.ts'
import { prepareManifests } from '../simulate/prepare-manifests.ts'
import { runSimulate } from '../simulate/run-simulate.ts'
import { manifestsFor } from '../up/up-manifests.ts'

const NOTE = 'ignored Helm hooks: Pod shop/test'

const objects = [
  kwokNodeClass('default'),
  nodePool('general'),
  pod('web', { namespace: 'shop', requests: { cpu: '1' } }),
  pod('test', { namespace: 'shop', requests: { cpu: '7' }, annotations: { 'helm.sh/hook': 'test' } }),
]

const writeHooks = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'kerf-hooks-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'chart.json')
  await writeFile(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }))
  return file
}

test('plan, up and simulate leave out the same Helm hooks, and print a line about them', async () => {
  const file = await writeHooks()
  const [out, err]: [string[], string[]] = [[], []]
  const streams = {
    stdout: { write: (part: string) => out.push(part) },
    stderr: { write: (part: string) => err.push(part) },
    env: {},
  }
  await runPlan({ diff: false, explainCost: false, filename: [file], output: 'json' }, streams)
  expect(JSON.parse(out.join('')).nodeClaims.flatMap(({ pods }: { pods: readonly string[] }) => pods)).toEqual([
    'shop/web',
  ])
  expect(err.join('')).toContain(NOTE)
  const { manifests, notes } = await manifestsFor({ filename: [file] })
  expect(manifests.map(({ object }) => object.metadata.name)).not.toContain('test')
  expect(notes).toContain(NOTE)
  out.length = 0
  err.length = 0
  const options = { filename: [file], for: '10m', seed: 1, schema: false, output: 'json' } as const
  await runSimulate(options, { ...streams, now: () => 0 })
  expect(err.join('')).toContain(NOTE)
  expect(JSON.parse(out.join(''))).toMatchObject({ pods: 1 })
})

test('a simulated cluster creates the namespaces of its objects; a plan assumes that they exist', () => {
  const there = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'there' } }
  const given = [objects.at(-2), there, pod('a', { namespace: 'there' }), pod('b', { namespace: 'default' })]
  const { manifests } = prepareManifests(parseManifests(JSON.stringify(given), 'pod.json'))
  expect(manifests.map(({ object }) => `${object.kind} ${object.metadata.name}`)).toEqual([
    'KWOKNodeClass default',
    'Namespace shop',
    'Pod web',
    'Namespace there',
    'Pod a',
    'Pod b',
  ])
})
