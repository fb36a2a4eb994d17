import type { KubeObject, NodePool } from '@kerf/apis'
import { ec2NodeClass } from '@kerf/provider-aws/testing/node-class'
import { nodePool } from '@kerf/testing'
import { expect, test } from 'vitest'
import { Audit } from '../../../../packages/cli/src/doctor/audit.ts'
import { loadChecks } from '../../../../packages/cli/src/doctor/checks.ts'
import { auditFindings } from '../../../../packages/cli/src/doctor/finding.ts'
import { knownTypes } from '../../../../packages/cli/src/doctor/known-types.ts'

const checks = await loadChecks()

const NOW = Date.parse('2026-08-22T09:01:00Z')

const nodeClass = (name: string, zoneID?: string) =>
  ec2NodeClass(name, {
    spec: { amiSelectorTerms: [{ alias: 'al2023@v20250715' }] },
    status: { subnets: [{ id: 'subnet-0a', zone: 'eu-central-1a', ...(zoneID === undefined ? {} : { zoneID }) }] },
  })

const pool = (name: string, requirements: NonNullable<NodePool['spec']['template']['spec']['requirements']> = []) =>
  nodePool(name, {
    requirements: [{ key: 'topology.kubernetes.io/zone', operator: 'In', values: ['eu-central-1a'] }, ...requirements],
    templateSpec: { nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name } },
  })

const deployment = (nodeSelector: Readonly<Record<string, string>> = {}) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'report', namespace: 'ops' },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: 'report' } },
    template: {
      metadata: {
        labels: { app: 'report' },
        annotations: { 'cluster-autoscaler.kubernetes.io/safe-to-evict': 'false' },
      },
      spec: {
        nodeSelector,
        containers: [{ name: 'main', image: 'x', resources: { requests: { cpu: '1', memory: '1Gi' } } }],
      },
    },
  },
})

const statuses = async (objects: readonly object[]) => {
  const read = objects as readonly KubeObject[]
  const source = { kind: 'cluster', unread: new Map() } as const
  const audit = new Audit({ objects: read, now: NOW, source, ...(await knownTypes(read, {})) })
  return Object.fromEntries(
    auditFindings(audit, checks).map(({ id, status, objects: found }) => [id, { status, found }]),
  )
}

test('zone IDs in the status of an EC2NodeClass do not change a finding', async () => {
  const without = await statuses([nodeClass('a'), pool('a'), deployment()])
  expect(without['COX-008']?.status).toBe('fail')
  expect(await statuses([nodeClass('a', 'euc1-az2'), pool('a'), deployment()])).toEqual(without)
})

test('a NodePool serves pods if another NodePool has a node class without zone IDs', async () => {
  const found = await statuses([nodeClass('a', 'euc1-az2'), pool('a'), nodeClass('b'), pool('b'), deployment()])
  expect(found['COX-008']?.status).toBe('fail')
  // Two NodePools of equal weight can run the workload.
  expect(found['POOL-003']?.found).toEqual(['NodePool a', 'NodePool b'])
})

test('zone IDs are treated like zones: they do not decide which NodePool serves a pod', async () => {
  const key = 'topology.k8s.aws/zone-id'
  const objects = [pool('a', [{ key, operator: 'In', values: ['euc1-az2'] }]), deployment({ [key]: 'euc1-az3' })]
  expect((await statuses([nodeClass('a', 'euc1-az2'), ...objects]))['COX-008']?.status).toBe('fail')
})
