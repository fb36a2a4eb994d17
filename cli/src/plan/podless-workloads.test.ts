import type { KubeObject } from '@kerf/apis'
import { expect, test } from 'vitest'
import { podlessWorkloads } from './podless-workloads.ts'

const object = (kind: string, name: string, rest: object = {}, metadata: object = {}): KubeObject => ({
  apiVersion: 'v1',
  kind,
  metadata: { name, ...metadata },
  ...rest,
})
const line = (...objects: readonly KubeObject[]): string | undefined =>
  podlessWorkloads(objects.map((each) => ({ file: 'f.yaml', line: 1, object: each })))

const selector = { matchLabels: { app: 'web' } }
const web = object('Deployment', 'web', { spec: { selector } }, { namespace: 'shop' })

test('a workload without a pod in the files is named, whatever its kind', () => {
  const job = object('Job', 'import', { spec: {} })
  expect(line(web, job)).toBe(
    'only pods are planned, and the files hold none of Deployment shop/web, Job default/import; to see their nodes: kerf up -f, or kerf simulate -f',
  )
})

test('of many a few are named and the others counted', () => {
  const many = Array.from({ length: 8 }, (_, index) => object('StatefulSet', `s${index}`, { spec: {} }))
  expect(line(...many)).toContain('StatefulSet default/s4 and 3 more; ')
})

test('quiet about workloads that have pods there, want none, belong to another, or were reported on', () => {
  const pod = (metadata: object) => object('Pod', 'p', {}, metadata)
  expect(line(web, pod({ namespace: 'shop', labels: { app: 'web' } }))).toBeUndefined()
  expect(line(web, pod({ namespace: 'other', labels: { app: 'web' } }))).toBeDefined()
  const job = object('Job', 'import', { spec: {} })
  expect(line(job, pod({ ownerReferences: [{ kind: 'Job', name: 'import' }] }))).toBeUndefined()
  expect(line({ ...web, spec: { replicas: 0, selector } } as KubeObject)).toBeUndefined()
  expect(line({ ...web, status: { replicas: 3 } } as KubeObject)).toBeUndefined()
  expect(line(object('ReplicaSet', 'web-1', { spec: {} }, { ownerReferences: [{ controller: true }] }))).toBeUndefined()
  expect(line(object('DaemonSet', 'agent', { spec: {} }), object('NodePool', 'general'))).toBeUndefined()
})
