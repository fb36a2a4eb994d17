import { kinds } from '@kerf/apis'
import { type KubeClient, SeededRandom, VirtualClock } from '@kerf/runtime'
import { SandboxApi } from '@kerf/sandbox'
import { beforeEach, expect, test } from 'vitest'
import { applyManifests } from './apply-manifests.ts'
import { KindDirectory } from './kind-directory.ts'
import { parseManifests } from './parse-manifests.ts'

const { signal } = new AbortController()

let client: KubeClient
beforeEach(() => {
  client = new SandboxApi({ clock: new VirtualClock(), random: new SeededRandom(1) }).client()
})

const object = (apiVersion: string, kind: string, name: string, fields = ''): string =>
  `---\n{apiVersion: ${apiVersion}, kind: ${kind}, metadata: {name: ${name}}${fields}}\n`

const apply = (text: string, leftOut?: (line: string) => void): Promise<number> =>
  applyManifests(client, new KindDirectory(client), parseManifests(text, 'f.yaml'), signal, leftOut)

const OTHERS = `${object('helm.toolkit.fluxcd.io/v2', 'HelmRelease', 'x')}${object('v1', 'ConfigMap', 'a', ', data: {a: 1}')}`
const RIGHT = object('v1', 'ConfigMap', 'b', ', data: {a: "1"}')

test('what the cluster does not take and no plan needs is left out and said', async () => {
  const said: string[] = []
  expect(await apply(`${OTHERS}${RIGHT}`, (line) => said.push(line))).toBe(1)
  expect(said).toEqual([
    expect.stringMatching(/^warning: left out: f\.yaml:2: HelmRelease x: the cluster has no kind HelmRelease in /),
    expect.stringMatching(/^warning: left out: f\.yaml:4: ConfigMap default\/a: refused by the API server: /),
  ])
  expect((await client.list(kinds.ConfigMap)).items.map(({ metadata }) => metadata.name)).toContain('b')
})

test('without a listener it is an error, and nothing is applied; so is an object that a plan needs', async () => {
  await expect(apply(`${OTHERS}${RIGHT}`)).rejects.toThrow('the cluster has no kind HelmRelease')
  const job = object('batch/v2', 'Job', 'j')
  await expect(apply(`${job}${RIGHT}`, () => {})).rejects.toThrow('the cluster has no kind Job in batch/v2')
  const account = object('v1', 'PersistentVolumeClaim', 'p', ', spec: {accessModes: [ReadWriteOnce]}')
  await expect(apply(`${account}${RIGHT}`, () => {})).rejects.toThrow(
    'f.yaml:2: PersistentVolumeClaim default/p: refused',
  )
  expect((await client.list(kinds.ConfigMap)).items.map(({ metadata }) => metadata.name)).not.toContain('b')
})
