import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { nodePool, pod } from '@kerf/testing'
import { expect, onTestFinished, test } from 'vitest'
import { stringify } from 'yaml'
import { runDoctor } from '../doctor/run-doctor.ts'
import { readSources } from '../migrate/groups/read-sources.ts'
import { runMigrate } from '../migrate/run-migrate.ts'
import { runPlan } from '../plan/run-plan.ts'
import { lastApplied } from './last-applied.ts'
import { parseManifests } from './parse-manifests.ts'

const object = (apiVersion: string, kind: string, name: string, more = '') =>
  `{apiVersion: ${apiVersion}, kind: ${kind}, metadata: {name: ${name}${more}}}`

test('objects with the same group, kind, namespace and name are one object; the last one applies', () => {
  const text = [
    object('apps/v1', 'Deployment', 'web', ', labels: {is: first}'),
    object('apps/v1', 'Deployment', 'web', ', namespace: other'),
    object('apps/v1beta1', 'Deployment', 'web', ', namespace: default, labels: {is: last}'),
    object('v1', 'Service', 'web'),
    '{apiVersion: batch/v1, kind: Job, metadata: {generateName: web-}}',
    '{apiVersion: batch/v1, kind: Job, metadata: {generateName: web-}}',
  ].join('\n---\n')
  const said: string[] = []
  const left = lastApplied(parseManifests(text, 'f.yaml'), (line) => said.push(line))
  expect(left.map(({ object: { kind, metadata } }) => `${kind} ${metadata.namespace ?? ''}`)).toEqual([
    'Deployment default',
    'Deployment other',
    'Service ',
    'Job ',
    'Job ',
  ])
  expect(left[0]?.object.metadata.labels).toEqual({ is: 'last' })
  expect(said).toEqual([
    'Deployment web is defined 2 times (f.yaml:1, f.yaml:5): Kerf uses the last one, as kubectl apply does',
  ])
})

/** Writes two files to a folder, and captures the output of a command. */
const writeFolder = async (a: readonly object[], b: readonly object[]) => {
  const folder = await mkdtemp(join(tmpdir(), 'kerf-twice-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const [first, second] = [join(folder, 'a.yaml'), join(folder, 'b.yaml')]
  const text = (objects: readonly object[]) => objects.map((each) => stringify(each)).join('---\n')
  await Promise.all([writeFile(first, text(a)), writeFile(second, text(b))])
  let [out, err] = ['', '']
  const streams = {
    stdout: { write: (part: string) => (out += part) },
    stderr: { write: (part: string) => (err += part) },
    env: {},
  }
  return { folder, first, second, streams, out: () => out, err: () => err }
}

const poolWithArchitecture = (architecture: string) =>
  nodePool('default', {
    templateSpec: { nodeClassRef: { group: 'karpenter.kwok.sh', kind: 'KWOKNodeClass', name: 'default' } },
    requirements: [{ key: 'kubernetes.io/arch', operator: 'In', values: [architecture] }],
  })
const web = pod('web')

test('a plan uses the NodePool that is applied last, and names both files', async () => {
  const { folder, first, second, streams, out, err } = await writeFolder(
    [poolWithArchitecture('amd64')],
    [poolWithArchitecture('arm64'), web],
  )
  await runPlan({ filename: [folder], output: 'json', diff: false, explainCost: false } as never, streams as never)
  const [claim] = JSON.parse(out()).nodeClaims
  expect(claim.instanceTypes.every((name: string) => name.includes('arm64'))).toBe(true)
  expect(err()).toContain(`NodePool default is defined 2 times (${first}:1, ${second}:1): Kerf uses the last one`)
})

test('doctor checks only one of two objects with the same identity', async () => {
  const { folder, first, second, streams, out, err } = await writeFolder(
    [poolWithArchitecture('amd64')],
    [poolWithArchitecture('arm64')],
  )
  await runDoctor({ filename: [folder], output: 'text', ignore: [] } as never, streams as never)
  expect(err()).toContain(`(${first}:1, ${second}:1)`)
  expect(out()).not.toContain('NodePool default, NodePool default')
})

test('migrate writes all objects with the same identity and asks the user to choose', async () => {
  const provisioner = (ttl: number) => ({
    apiVersion: 'karpenter.sh/v1alpha5',
    kind: 'Provisioner',
    metadata: { name: 'default' },
    spec: { ttlSecondsUntilExpired: ttl, providerRef: { name: 'default' } },
  })
  const twice = await writeFolder([provisioner(1_000)], [provisioner(2_000)])
  expect(await runMigrate([twice.folder], { output: 'yaml' }, twice.streams)).toBe(3)
  expect(twice.out().match(/kind: NodePool/g)).toHaveLength(2)
  expect(twice.err()).toContain(
    `  Provisioner/default: is there 2 times (${twice.first}:1, ${twice.second}:1), and all of them are written`,
  )
  // Both objects become the same NodePool: the Provisioner is converted, and the NodePool is copied.
  const both = await writeFolder([provisioner(1_000)], [poolWithArchitecture('amd64')])
  expect(await runMigrate([both.folder], { output: 'yaml' }, both.streams)).toBe(3)
  expect(both.err()).toContain('  NodePool/default: exists already')
})

test('migrate cas uses the object that is applied last, and reports the other object as not carried over', async () => {
  const { objects, conversions } = await readSources([
    { value: poolWithArchitecture('amd64'), file: 'a.yaml', line: 1 },
    { value: { apiVersion: 'v1', kind: 'List', items: [poolWithArchitecture('arm64'), web] }, file: 'b.yaml', line: 7 },
  ])
  expect(objects).toEqual([poolWithArchitecture('arm64'), web])
  expect(conversions.map(({ object, fate, because }) => `${object}, ${fate}: ${because}`)).toEqual([
    'NodePool default, not carried over: a.yaml:1 and b.yaml:7 both have it: the last one applies, as with kubectl apply',
  ])
})
