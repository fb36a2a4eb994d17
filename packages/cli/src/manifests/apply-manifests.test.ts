import { kinds, type ResourceKind } from '@kerf/apis'
import { ApiError, type KubeClient, SeededRandom, VirtualClock } from '@kerf/runtime'
import { type Interceptor, SandboxApi } from '@kerf/sandbox'
import { beforeEach, expect, test } from 'vitest'
import { applyManifests } from './apply-manifests.ts'
import { KindDirectory } from './kind-directory.ts'
import { parseManifests } from './parse-manifests.ts'

const { signal } = new AbortController()

let clock: VirtualClock
let api: SandboxApi
let client: KubeClient
beforeEach(() => {
  clock = new VirtualClock()
  api = new SandboxApi({ clock, random: new SeededRandom(1) })
  client = api.client()
})

const object = (apiVersion: string, kind: string, name: string, fields = ''): string =>
  `---\n{apiVersion: ${apiVersion}, kind: ${kind}, metadata: {name: ${name}}${fields}}\n`

const apply = (text: string, leftOut?: (line: string) => void): Promise<number> =>
  applyManifests({ client, clock, kinds: new KindDirectory(client) }, parseManifests(text, 'f.yaml'), signal, leftOut)

const OTHERS = `${object('helm.toolkit.fluxcd.io/v2', 'HelmRelease', 'x')}${object('v1', 'ConfigMap', 'a', ', data: {a: 1}')}`
const RIGHT = object('v1', 'ConfigMap', 'b', ', data: {a: "1"}')

test('reports and skips objects that the cluster refuses and no plan needs', async () => {
  const said: string[] = []
  expect(await apply(`${OTHERS}${RIGHT}`, (line) => said.push(line))).toBe(1)
  expect(said).toEqual([
    expect.stringMatching(/^warning: left out: f\.yaml:2: HelmRelease x: the cluster has no kind HelmRelease in /),
    expect.stringMatching(/^warning: left out: f\.yaml:4: ConfigMap default\/a: rejected by the API server: /),
  ])
  expect((await client.list(kinds.ConfigMap)).items.map(({ metadata }) => metadata.name)).toContain('b')
})

test('applies nothing if an object that a plan needs is refused, or if any object is refused and there is no listener', async () => {
  await expect(apply(`${OTHERS}${RIGHT}`)).rejects.toThrow('the cluster has no kind HelmRelease')
  const job = object('batch/v2', 'Job', 'j')
  await expect(apply(`${job}${RIGHT}`, () => {})).rejects.toThrow('the cluster has no kind Job in batch/v2')
  const account = object('v1', 'PersistentVolumeClaim', 'p', ', spec: {accessModes: [ReadWriteOnce]}')
  await expect(apply(`${account}${RIGHT}`, () => {})).rejects.toThrow(
    'f.yaml:2: PersistentVolumeClaim default/p: rejected',
  )
  expect((await client.list(kinds.ConfigMap)).items.map(({ metadata }) => metadata.name)).not.toContain('b')
})

const NAMESPACE = object('v1', 'Namespace', 'team')
const WIDGET = object('example.com/v1', 'Widget', 'w, namespace: team', ', spec: {size: 3}')
const POD = object('v1', 'Pod', 'p, namespace: team', ', spec: {containers: [{name: c, image: i}]}')
const SCHEMA = '{type: object, properties: {spec: {type: object, properties: {size: {type: integer}}}}}'
const DEFINITION = object(
  'apiextensions.k8s.io/v1',
  'CustomResourceDefinition',
  'widgets.example.com',
  `, spec: {group: example.com, scope: Namespaced, names: {plural: widgets, kind: Widget},
     versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: ${SCHEMA}}}]}`,
)

/** Refuses matching calls until `time`. An API server behaves like this when it has stored an object but does not use it yet. */
const laterAt = (time: number, error: ApiError, isMeant: (path: string, kind: string) => boolean): Interceptor => ({
  before: ({ path = '', kind }) => {
    if (clock.monotonic() < time && isMeant(path, kind?.kind ?? '')) throw error
  },
})
const NOT_FOUND = new ApiError({ code: 404, reason: 'NotFound', message: 'the server could not find it' })

test('applies CRDs first, custom resources when the API server serves them, and objects after their Namespace', async () => {
  client = api.client({ interceptor: laterAt(2_000, NOT_FOUND, (path) => path === '/apis/example.com/v1') })
  const applied = apply(`${POD}${WIDGET}${NAMESPACE}${DEFINITION}${RIGHT}`)
  await clock.advance(3_000)
  expect(await applied).toBe(5)
  const revision = async (kind: ResourceKind, name: string, namespace?: string): Promise<number> => {
    const found = await client.get(kind, namespace === undefined ? { name } : { name, namespace })
    return Number(found.metadata.resourceVersion)
  }
  const widget: ResourceKind = {
    group: 'example.com',
    version: 'v1',
    kind: 'Widget',
    plural: 'widgets',
    namespaced: true,
  }
  const order = [
    await revision(kinds.CustomResourceDefinition, 'widgets.example.com'),
    await revision(kinds.Namespace, 'team'),
    await revision(kinds.ConfigMap, 'b', 'default'),
    await revision(widget, 'w', 'team'),
    await revision(kinds.Pod, 'p', 'team'),
  ]
  expect(order).toEqual([...order].sort((a, b) => a - b))
})

test('writes only the CRD if a custom resource does not match the CRD of the same files', async () => {
  const wrong = object('example.com/v1', 'Widget', 'w', ', spec: {size: large}')
  await expect(apply(`${RIGHT}${wrong}${DEFINITION}`)).rejects.toThrow(
    'f.yaml:4: Widget default/w: rejected by the API server: ',
  )
  expect((await client.list(kinds.ConfigMap)).items.map(({ metadata }) => metadata.name)).not.toContain('b')
})

test('fails with the name of the kind if a CRD is not served within 30 seconds', async () => {
  client = api.client({ interceptor: laterAt(60_000, NOT_FOUND, (path) => path === '/apis/example.com/v1') })
  const refused = expect(apply(`${WIDGET}${DEFINITION}`)).rejects.toThrow(
    'f.yaml:4: CustomResourceDefinition widgets.example.com: the API server still does not serve Widget in example.com/v1 30 s after the CRD was created',
  )
  await clock.advance(31_000)
  await refused
})

test('a pod in a Namespace of the same files waits for its service account', async () => {
  const message =
    'pods "p" is forbidden: error looking up service account team/default: serviceaccount "default" not found'
  const forbidden = new ApiError({ code: 403, reason: 'Forbidden', message })
  client = api.client({ interceptor: laterAt(1_000, forbidden, (_path, kind) => kind === 'Pod') })
  const applied = apply(`${NAMESPACE}${POD}`)
  await clock.advance(2_000)
  expect(await applied).toBe(2)
})
