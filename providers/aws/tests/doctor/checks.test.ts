import { readFileSync } from 'node:fs'
import { type KubeObject, kinds } from '@kerf/apis'
import type { ProviderDescriptor } from '@kerf/provider-contract'
import { expect, test } from 'vitest'
import { Audit, type AuditInput } from '../../../../packages/cli/src/doctor/audit.ts'
import { loadChecks } from '../../../../packages/cli/src/doctor/checks.ts'
import { CloudExport } from '../../../../packages/cli/src/doctor/cloud-export.ts'
import { auditFindings, type Finding, findingsExitCode } from '../../../../packages/cli/src/doctor/finding.ts'
import { knownTypes } from '../../../../packages/cli/src/doctor/known-types.ts'
import { PRICES_ELSEWHERE, priceConfigMaps } from '../../../../packages/cli/src/doctor/price-config-maps.ts'
import { providers } from '../../../../packages/cli/src/providers.ts'
import { findPods } from './broken-clusters/broken.ts'
import { type Broken, brokenClusters, type Objects } from './broken-clusters.ts'
import { healthyCluster } from './healthy-cluster.ts'

const others = (providers as readonly ProviderDescriptor[]).filter(({ name }) => name !== 'aws')
/** Other tests cover the checks of the other clouds. */
const ofOthers = (await Promise.all(others.map(({ doctorChecks }) => doctorChecks?.load() ?? []))).flat()
const checks = (await loadChecks()).filter((check) => !ofOthers.some(({ id }) => id === check.id))

const NOW = Date.parse('2026-08-22T09:01:00Z')
const cloudInOrder = (): Objects =>
  JSON.parse(readFileSync(new URL('./in-order-cloud.json', import.meta.url), 'utf8')) as Objects

const examine = async (
  objects: Objects,
  documents: Objects = cloudInOrder(),
  source: AuditInput['source'] = { kind: 'files' },
  now = NOW,
): Promise<readonly Finding[]> => {
  const cloud = new CloudExport(documents.map((value) => ({ value, file: 'aws.json' })))
  const kubeObjects = objects as unknown as readonly KubeObject[]
  return auditFindings(
    new Audit({ objects: kubeObjects, now, source, cloud, ...(await knownTypes(kubeObjects, {})) }),
    checks,
  )
}

const found = (findings: readonly Finding[]): readonly string[] =>
  findings.filter(({ status }) => status === 'fail' || status === 'warn' || status === 'info').map(({ id }) => id)

test('a healthy cluster has only the finding that a Cluster Autoscaler exists', async () => {
  const findings = await examine(healthyCluster())
  expect(found(findings)).toEqual(['COX-001'])
  expect(findings.filter(({ status }) => status === 'skipped')).toEqual([])
  expect(findingsExitCode(findings, 'warning')).toBe(0)
})

const broken = Object.entries<Broken>(brokenClusters)

test.each(broken)('%s', async (_what, { id, breaks, objects, besides = [], severity }) => {
  const cluster = healthyCluster()
  const account = cloudInOrder()
  breaks(cluster, account)
  const findings = await examine(cluster, account)
  const finding = findings.find((each) => each.id === id)
  expect(finding?.objects).toEqual(objects)
  expect(finding?.remedy).not.toBe('')
  if (severity !== undefined) expect(finding?.severity).toBe(severity)
  // The other findings are consequences of the same fault.
  expect(new Set(found(findings))).toEqual(new Set(id === 'COX-001' ? [id, ...besides] : ['COX-001', id, ...besides]))
})

test('each check has a cluster that triggers it', () => {
  const triggered = new Set(broken.map(([, { id }]) => id))
  expect(checks.map(({ id }) => id).filter((id) => !triggered.has(id))).toEqual(['COX-001'])
})

test('ids are unique, and have the prefix of their group', () => {
  const prefixes = { coexistence: 'COX', controller: 'CTL', pools: 'POOL', workloads: 'WL', cloud: 'CLD' } as const
  expect(new Set(checks.map(({ id }) => id)).size).toBe(checks.length)
  for (const { id, group } of checks) expect(id).toMatch(new RegExp(`^${prefixes[group]}-\\d{3}$`))
})

test('a kind without objects is unknown in files, and empty in a cluster', async () => {
  const without = healthyCluster().filter(({ kind }) => kind !== 'PodDisruptionBudget')
  const ofFiles = await examine(without)
  expect(ofFiles.find(({ id }) => id === 'WL-001')).toMatchObject({
    status: 'skipped',
    seen: 'the files hold no PodDisruptionBudget',
  })
  const live = await examine(without, undefined, { kind: 'cluster', unread: new Map() })
  expect(live.find(({ id }) => id === 'WL-001')?.status).toBe('pass')
  expect(live.find(({ id }) => id === 'CTL-006')?.status).toBe('warn')
})

test('checks of kinds that may not be listed are skipped with the reason', async () => {
  const unread = new Map([['Event', 'you cannot list events']])
  const findings = await examine(healthyCluster(), undefined, { kind: 'cluster', unread })
  expect(findings.filter(({ status }) => status === 'skipped').map(({ id, seen }) => `${id} ${seen}`)).toEqual([
    'COX-003 you cannot list events',
    'COX-004 you cannot list events',
    'COX-017 you cannot list events',
    'POOL-017 you cannot list events',
  ])
})

test('without exports of the account its checks are skipped, and name the missing command', async () => {
  const findings = await examine(healthyCluster(), [])
  const skipped = findings.filter(({ status }) => status === 'skipped')
  expect(skipped.map(({ id }) => id)).toEqual([
    ...['COX-015', 'POOL-012', 'POOL-013', 'POOL-014'],
    ...['CLD-001', 'CLD-002', 'CLD-003', 'CLD-004', 'CLD-005', 'CLD-006', 'CLD-007'],
  ])
  expect(skipped[0]?.seen).toBe('it needs --cloud with the output of: aws autoscaling describe-auto-scaling-groups')
})

test('a CPU limit equal to the need of the cluster is enough', async () => {
  const cluster = healthyCluster()
  for (const { kind, metadata, spec } of cluster)
    if (kind === 'Deployment' && metadata.name === 'karpenter')
      spec.template.spec.containers[0].resources.limits = { cpu: '500m', memory: '512Mi' }
  expect((await examine(cluster)).find(({ id }) => id === 'CTL-005')?.status).toBe('pass')
})

test('a label of an existing node is not missing, and labels of a NodePool with an unknown class are undecided', async () => {
  const selecting = (nodeSelector: object): Objects => {
    const cluster = healthyCluster()
    for (const pod of findPods(cluster, 'reports')) pod['spec'].nodeSelector = nodeSelector
    return cluster
  }
  const status = async (cluster: Objects) => (await examine(cluster)).find(({ id }) => id === 'WL-006')
  expect((await status(selecting({ 'eks.amazonaws.com/nodegroup': 'workers' })))?.status).toBe('pass')
  const unknown = selecting({ disk: 'nvme' })
  for (const { kind, spec } of unknown)
    if (kind === 'NodePool') spec.template.spec.nodeClassRef = { group: 'a.io', kind: 'OtherClass', name: 'default' }
  expect(await status(unknown)).toMatchObject({
    status: 'skipped',
    seen: expect.stringContaining('are unknown; see --instance-types'),
  })
})

test('without objects every check is undecided, and no check throws', async () => {
  const findings = await examine([], [])
  expect(found(findings)).toEqual([])
  expect(findings).toHaveLength(checks.length)
})

const prices = (findings: readonly Finding[]) => findings.find(({ id }) => id === 'CLD-008')
const old = (): Objects => {
  const cluster = healthyCluster()
  brokenClusters['prices of three days ago']?.breaks(cluster, [])
  return cluster
}

test('prices are read from the ConfigMaps of the providers, and old ones count only if a controller reads them', async () => {
  const kept = (providers as readonly ProviderDescriptor[]).flatMap(({ permissions }) =>
    permissions.filter(({ kind, verbs }) => kind === kinds.ConfigMap && verbs.includes('patch')),
  )
  expect(kept.flatMap(({ names = [] }) => names).toSorted()).toEqual(priceConfigMaps.toSorted())
  expect(prices(await examine(old()))?.status).toBe('warn')
  const leftBehind = old()
  for (const each of leftBehind)
    if (each['metadata'].name === 'karpenter-aws-prices') each['metadata'].namespace = 'formerly'
  const live = { kind: 'cluster', unread: new Map() } as const
  expect(prices(await examine(leftBehind, [], live))?.status).toBe('pass')
})

test('prices that may not be read or have no date are undecided', async () => {
  const without = healthyCluster().filter(({ metadata }) => metadata.name !== 'karpenter-aws-prices')
  expect(prices(await examine(without))).toMatchObject({
    status: 'skipped',
    seen: 'the files hold no ConfigMap of prices',
  })
  const unread = new Map([[PRICES_ELSEWHERE, 'you cannot list configmaps']])
  expect(prices(await examine(without, [], { kind: 'cluster', unread }))?.status).toBe('skipped')
  const undated = healthyCluster()
  for (const each of undated)
    if (each['metadata'].name === 'karpenter-aws-prices') each['data'] = { 'us-east-1.json': '{"onDemand":{}}' }
  expect(prices(await examine(undated))).toMatchObject({ status: 'skipped', seen: expect.stringContaining('when') })
})

test('in files, the age of prices is computed for the time at which the files were written', async () => {
  const cluster = healthyCluster()
  const inAWeek = NOW + 7 * 24 * 3_600_000
  const of = async (objects: Objects) => prices(await examine(objects, [], { kind: 'files' }, inAWeek))?.status
  expect(await of(cluster)).toBe('pass')
  expect(await of(cluster.filter(({ kind }) => kind !== 'Lease'))).toBe('warn')
})
