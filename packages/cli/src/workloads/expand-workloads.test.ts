import { expect, test } from 'vitest'
import { parseManifests } from '../manifests/parse-manifests.ts'
import { type ExpandedManifests, expandWorkloads } from './expand-workloads.ts'
import { isPod, objectNamespace } from './workload.ts'

const expand = (yaml: string, choice: 'min' | 'max' | 'current' = 'current'): ExpandedManifests =>
  expandWorkloads(parseManifests(yaml, 'f.yaml'), choice)
const podsIn = ({ manifests }: ExpandedManifests): readonly string[] =>
  manifests
    .map(({ object }) => object)
    .filter(isPod)
    .map((pod) => `${objectNamespace(pod)}/${pod.metadata.name}`)
const pods = (yaml: string, choice?: 'min' | 'max' | 'current'): readonly string[] => podsIn(expand(yaml, choice))

const template = 'template: {metadata: {labels: {app: web}}, spec: {containers: [{name: c}]}}'
const selector = 'selector: {matchLabels: {app: web}}'
const web = (more = '', top = ''): string =>
  `---\n{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: shop}, spec: {${more} ${selector}, ${template}}${top}}\n`
const job = (more: string, name = 'import'): string =>
  `---\n{apiVersion: batch/v1, kind: Job, metadata: {name: ${name}}, spec: {${more} ${template}}}\n`
const running = (name: string, more: string): string =>
  `---\n{apiVersion: v1, kind: Pod, metadata: {name: ${name}, namespace: shop, ${more}}, spec: {nodeName: a, containers: [{name: c}]}, status: {phase: Running}}\n`
const ownedBy = (kind: string, name: string): string =>
  `ownerReferences: [{apiVersion: apps/v1, kind: ${kind}, name: ${name}, uid: u, controller: true}]`

test('each kind of workload creates as many pods as it runs at the same time', () => {
  expect(pods(web('replicas: 2,'))).toEqual(['shop/web-1', 'shop/web-2'])
  expect(pods(web())).toEqual(['shop/web-1'])
  expect(
    pods(`{apiVersion: apps/v1, kind: ReplicaSet, metadata: {name: r}, spec: {replicas: 2, ${selector}, ${template}}}`),
  ).toEqual(['default/r-1', 'default/r-2'])
  expect(
    pods(`{apiVersion: v1, kind: ReplicationController, metadata: {name: rc}, spec: {replicas: 1, ${template}}}`),
  ).toEqual(['default/rc-1'])
  expect(pods(job('parallelism: 3, completions: 2,'))).toEqual(['default/import-0', 'default/import-1'])
  expect(pods(job('parallelism: 2,'))).toHaveLength(2)
  expect(
    pods(
      `{apiVersion: batch/v1, kind: CronJob, metadata: {name: nightly}, spec: {schedule: "0 3 * * *", jobTemplate: {spec: {${template}}}}}`,
    ),
  ).toEqual(['default/nightly-1'])
})

test('a workload that creates no pods is listed as idle, with the reason', () => {
  const yaml = [
    web('replicas: 0,'),
    job('suspend: true,'),
    `---\n{apiVersion: batch/v1, kind: Job, metadata: {name: done}, spec: {${template}}, status: {conditions: [{type: Complete, status: "True"}]}}\n`,
    `---\n{apiVersion: batch/v1, kind: CronJob, metadata: {name: paused}, spec: {schedule: "0 3 * * *", suspend: true, jobTemplate: {spec: {${template}}}}}`,
  ].join('')
  expect(pods(yaml)).toEqual([])
  expect(expand(yaml).idle).toEqual([
    'Deployment shop/web has 0 replicas',
    'Job default/import is suspended',
    'Job default/done is finished',
    'CronJob default/paused is suspended',
  ])
})

test('a HorizontalPodAutoscaler keeps the replicas in its range, and 0 replicas disable it', () => {
  const scaled = (replicas: string, status = ''): string =>
    `${web(replicas)}---\n{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: {name: web, namespace: shop}, spec: {scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}, minReplicas: 2, maxReplicas: 5}${status}}`
  expect(pods(scaled(''), 'min')).toHaveLength(2)
  expect(pods(scaled(''), 'max')).toHaveLength(5)
  expect(pods(scaled(''))).toHaveLength(2)
  expect(pods(scaled('replicas: 3,'))).toHaveLength(3)
  expect(pods(scaled('replicas: 9,'))).toHaveLength(5)
  expect(pods(scaled('replicas: 3,', ', status: {desiredReplicas: 4}'))).toHaveLength(4)
  expect(pods(scaled('replicas: 0,'), 'max')).toHaveLength(0)
  expect(expand(scaled('').replace('minReplicas: 2', 'minReplicas: 1')).notes[0]).toContain('with 1 replica;')
  expect(expand(scaled('replicas: 3,')).notes).toEqual([
    'Deployment shop/web is planned with 3 replicas; HorizontalPodAutoscaler web allows 2 to 5 (choose with --replicas min, max or current)',
  ])
})

test('pods in the files are not created again, regardless of their owner', () => {
  const replicaSet = `---\n{apiVersion: apps/v1, kind: ReplicaSet, metadata: {name: web-5d4f, namespace: shop, ${ownedBy('Deployment', 'web')}}, spec: {replicas: 3, ${selector}, ${template}}}\n`
  const one = running(
    'web-5d4f-aaaaa',
    `labels: {app: web, pod-template-hash: 5d4f}, ${ownedBy('ReplicaSet', 'web-5d4f')}`,
  )
  const others = (yaml: string): readonly string[] => pods(yaml).filter((name) => !name.endsWith('aaaaa'))
  expect(others(web('replicas: 3,') + replicaSet + one)).toEqual(['shop/web-1', 'shop/web-2'])
  expect(others(web('replicas: 3,') + one)).toEqual(['shop/web-1', 'shop/web-2'])
  expect(others(replicaSet + one)).toEqual(['shop/web-5d4f-1', 'shop/web-5d4f-2'])
  expect(others(web('replicas: 2,') + running('loose-aaaaa', 'labels: {app: web}'))).toEqual(['shop/web-1'])
  expect(others(web('replicas: 2,') + running('loose-aaaaa', 'labels: {app: other}'))).toHaveLength(2)
  const cron = `---\n{apiVersion: batch/v1, kind: CronJob, metadata: {name: nightly, namespace: shop}, spec: {schedule: "0 3 * * *", jobTemplate: {spec: {${template}}}}}\n`
  const run = running('nightly-29000000-aaaaa', ownedBy('Job', 'nightly-29000000'))
  expect(others(cron + run)).toEqual([])
  expect(others(cron)).toEqual(['shop/nightly-1'])
})

test('for a dump with only some pods, creates the pods that the workloads report in their status', () => {
  const reported = web('replicas: 3,', ', status: {replicas: 3}')
  const elsewhere = running('other', 'labels: {app: other}')
  expect(pods(reported + elsewhere)).toEqual(['shop/other'])
  expect(pods(reported)).toHaveLength(3)
})

test('new pods of a Deployment have the pod template hash of its running pods, and its ReplicaSet selects them', () => {
  const { manifests } = expand(web('replicas: 1,'))
  expect(manifests.map(({ object }) => `${object.kind} ${object.metadata.name}`)).toEqual([
    'Deployment web',
    'ReplicaSet web-planned',
    'Pod web-1',
  ])
  expect(manifests[1]?.object).toMatchObject({
    spec: { selector: { matchLabels: { app: 'web', 'pod-template-hash': 'planned' } } },
  })
  const one = running('web-5d4f-a', `labels: {app: web, pod-template-hash: 5d4f}, ${ownedBy('ReplicaSet', 'web-5d4f')}`)
  const more = expand(web('replicas: 2,') + one).manifests.find(({ object }) => object.metadata.name === 'web-1')
  expect(more?.object.metadata.labels).toEqual({ app: 'web', 'pod-template-hash': '5d4f' })
})

test('a StatefulSet has numbered pods with their own claims; claims in the files are kept', () => {
  const set = `{apiVersion: apps/v1, kind: StatefulSet, metadata: {name: db}, spec: {replicas: 2, ordinals: {start: 4}, ${selector}, ${template}, volumeClaimTemplates: [{metadata: {name: data}, spec: {storageClassName: fast}}]}}\n`
  const claim = '---\n{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: data-db-5}, spec: {volumeName: v}}'
  const { manifests, notLookedAt } = expand(set + claim)
  expect(manifests.map(({ object }) => `${object.kind} ${object.metadata.name}`)).toEqual([
    'StatefulSet db',
    'PersistentVolumeClaim data-db-4',
    'Pod db-4',
    'Pod db-5',
    'PersistentVolumeClaim data-db-5',
    'StorageClass fast',
  ])
  expect(manifests[2]?.object).toMatchObject({
    metadata: { labels: { app: 'web', 'apps.kubernetes.io/pod-index': '4' } },
    spec: { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data-db-4' } }] },
  })
  expect(notLookedAt).toEqual(['StorageClass fast (not in the files; its volumes can be in any zone)'])
  const classed = `---\n{apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: other}, provisioner: p}\n`
  expect(expand(`${set}${classed}`).notLookedAt).toEqual([])
})

test('claims without a class get the default class; ephemeral volumes get a claim', () => {
  const pod =
    '{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: [{name: c}], volumes: [{name: scratch, ephemeral: {volumeClaimTemplate: {spec: {}}}}]}}\n'
  const byDefault =
    '---\n{apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: gp3, annotations: {storageclass.kubernetes.io/is-default-class: "true"}}, provisioner: p}\n'
  const claims = expand(pod + byDefault).manifests.filter(({ object }) => object.kind === 'PersistentVolumeClaim')
  expect(claims.map(({ object }) => object)).toMatchObject([
    { metadata: { name: 'p-scratch' }, spec: { storageClassName: 'gp3' } },
  ])
})

test('leaves out Helm hooks, reports workloads of other APIs, and completes generated names', () => {
  const hook =
    '{apiVersion: v1, kind: Pod, metadata: {name: test, annotations: {helm.sh/hook: test}}, spec: {containers: [{name: c}]}}\n'
  const rollout = `---\n{apiVersion: argoproj.io/v1alpha1, kind: Rollout, metadata: {name: r}, spec: {replicas: 3, ${template}}}\n`
  const generated = `---\n{apiVersion: batch/v1, kind: Job, metadata: {generateName: run-}, spec: {${template}}}`
  const found = expand(hook + rollout + generated)
  expect(podsIn(found)).toEqual(['default/run-2-0'])
  expect(found.notes).toEqual(['ignored Helm hooks: Pod default/test'])
  expect(found.notLookedAt).toEqual(['the pods of Rollout default/r (argoproj.io/v1alpha1)'])
})
