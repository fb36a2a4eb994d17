import { type KubeObject, kinds } from '@kerf/apis'
import { SeededRandom, VirtualClock } from '@kerf/runtime'
import { SandboxApi } from '@kerf/sandbox'
import { expect, test } from 'vitest'
import { Audit, type AuditInput } from './audit.ts'
import { loadChecks } from './checks.ts'
import { auditFindings } from './finding.ts'
import { knownTypes } from './known-types.ts'
import { readCluster } from './read-cluster.ts'

const checks = await loadChecks()

const NOW = Date.parse('2026-08-22T09:01:00Z')

const deployment = (namespace: string, ...flags: readonly string[]) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'ca-cluster-autoscaler', namespace },
  spec: {
    replicas: 1,
    selector: { matchLabels: { app: 'ca' } },
    template: {
      metadata: { labels: { app: 'ca' } },
      spec: {
        containers: [
          {
            name: 'main',
            image: 'registry.k8s.io/autoscaling/cluster-autoscaler:v1.33.0',
            command: ['./cluster-autoscaler', ...flags],
          },
        ],
      },
    },
  },
})

const status = (namespace: string, text: string, name = 'cluster-autoscaler-status') => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace },
  data: { status: text },
})

const yaml = (health: string): string =>
  [
    'time: 2026-08-22 09:00:30.1 +0000 UTC',
    'autoscalerStatus: Running',
    `clusterWide: {health: {status: ${health}}}`,
    'nodeGroups: [{name: spot-1, health: {minSize: 0, maxSize: 7}}]',
  ].join('\n')

const prose = (health: string): string => `Cluster-autoscaler status at 2026-08-22 09:00:30.1 +0000 UTC:
Cluster-wide:
  Health:      ${health} (ready=4 unready=6 (resourceUnready=0) notStarted=0 registered=10 longUnregistered=0)
               LastProbeTime:      2026-08-22 09:00:30.1 +0000 UTC
  ScaleUp:     NoActivity (ready=4 registered=10)

NodeGroups:
  Name:        spot-1
  Health:      Healthy (ready=4 unready=6 cloudProviderTarget=10 (minSize=0, maxSize=7))
  ScaleUp:     NoActivity (ready=4 cloudProviderTarget=10)

  Name:        od-1
  Health:      Healthy (ready=0 cloudProviderTarget=0 (minSize=1, maxSize=3))
`

const objectAudit = async (
  objects: readonly object[],
  source: AuditInput['source'] = { kind: 'cluster', unread: new Map() },
) => {
  const read = objects as readonly KubeObject[]
  return new Audit({ objects: read, now: NOW, source, ...(await knownTypes(read, {})) })
}

const health = async (...parameters: Parameters<typeof objectAudit>) =>
  auditFindings(await objectAudit(...parameters), checks).find(({ id }) => id === 'COX-005')

test.each([
  ['in the namespace of its Deployment', [deployment('autoscaling'), status('autoscaling', yaml('Unhealthy'))]],
  [
    'in the namespace that a flag names, although another namespace has an older status',
    [
      deployment('autoscaling', '--namespace=autoscaling', '--namespace=ca'),
      status('autoscaling', yaml('Healthy')),
      status('ca', yaml('Unhealthy')),
    ],
  ],
  [
    'in kube-system, which is the default of the flag',
    [deployment('autoscaling'), status('kube-system', yaml('Unhealthy'))],
  ],
  [
    'under the name that a flag gives',
    [
      deployment('autoscaling', '--status-config-map-name=mine'),
      status('autoscaling', yaml('Healthy')),
      status('autoscaling', yaml('Unhealthy'), 'mine'),
    ],
  ],
  [
    'in the plain-text format of older releases',
    [deployment('kube-system'), status('kube-system', prose('Unhealthy'))],
  ],
])('finds the status %s', async (_where, objects) => {
  expect((await health(objects))?.status).toBe('fail')
  expect((await health(objects, { kind: 'files' }))?.status).toBe('fail')
})

test('reads health and node groups from a status in the old plain-text format', async () => {
  const objects = [deployment('kube-system'), status('kube-system', prose('Healthy'))]
  expect((await health(objects))?.status).toBe('pass')
  expect((await objectAudit(objects)).clusterAutoscaler?.groups.map(({ name, size }) => ({ name, size }))).toEqual([
    { name: 'spot-1', size: { min: 0, max: 7 } },
    { name: 'od-1', size: { min: 1, max: 3 } },
  ])
})

test('a status that is missing or cannot be read is not reported as healthy', async () => {
  const other = [deployment('kube-system'), status('kube-system', 'v2: {}')]
  expect(await health(other)).toMatchObject({ status: 'skipped', seen: expect.stringContaining('does not support') })
  expect(await health([deployment('ca')])).toMatchObject({
    status: 'skipped',
    seen: 'there is no ConfigMap cluster-autoscaler-status in ca or kube-system',
  })
  expect((await health([status('kube-system', 'v2: {}')]))?.status).toBe('pass')
})

test('reads the ConfigMaps of a live cluster from the namespaces of Cluster Autoscaler', async () => {
  const api = new SandboxApi({ clock: new VirtualClock({ start: NOW }), random: new SeededRandom(1) })
  const client = api.client()
  for (const name of ['ca', 'elsewhere'])
    await client.create(kinds.Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
  await client.create(kinds.Deployment, deployment('elsewhere', '--namespace=ca') as never)
  const names = ['cluster-autoscaler-status', 'cluster-autoscaler-priority-expander', 'other']
  for (const namespace of ['ca', 'elsewhere'])
    for (const name of names) await client.create(kinds.ConfigMap, status(namespace, yaml('Unhealthy'), name))
  const { objects } = await readCluster(client)
  const read = objects.filter(({ kind }) => kind === 'ConfigMap').map(({ metadata }) => metadata.name)
  expect(read.filter((name) => name === 'other')).toEqual([])
  expect(read.filter((name) => name === 'cluster-autoscaler-priority-expander')).toHaveLength(2)
  expect((await health(objects))?.status).toBe('fail')
})
