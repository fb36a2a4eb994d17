import { type DaemonSet, groupVersion, type KubeObject, LabelVocabulary, type NodePool } from '@kerf/apis'
import { nodePool } from '@kerf/testing'
import { expect, test } from 'vitest'
import { Audit } from '../../../../packages/cli/src/doctor/audit.ts'
import { auditFindings } from '../../../../packages/cli/src/doctor/finding.ts'
import { doctorChecks } from '../../src/diagnostics/doctor/index.ts'
import { alibabaVocabulary } from '../../src/labels.ts'
import { type ECSNodeClass, ecsNodeClassKind } from '../../src/node-class/ecs-node-class.ts'
import { ecsNodeClassDescriptor } from '../../src/node-class/node-class-descriptor.ts'

const checks = await doctorChecks.load()

const pool = (name: string, group = ecsNodeClassKind.group, values: readonly string[] = ['on-demand']): NodePool => {
  const requirements = [{ key: 'karpenter.sh/capacity-type', operator: 'In' as const, values }]
  const made = nodePool(name, values.length === 0 ? {} : { requirements })
  const { template } = made.spec
  const nodeClassRef = { group, kind: 'ECSNodeClass', name: 'default' }
  return { ...made, spec: { ...made.spec, template: { ...template, spec: { ...template.spec, nodeClassRef } } } }
}

const resolved = {
  vSwitches: [{ id: 'vsw-1', zoneID: 'cn-hangzhou-h' }],
  securityGroups: [{ id: 'sg-1' }],
  images: [{ id: 'm-1', requirements: [] }],
  conditions: [],
}

const nodeClass = (spec: Partial<ECSNodeClass['spec']> = {}, status: object = resolved): KubeObject =>
  ({
    ...ecsNodeClassDescriptor.example,
    apiVersion: groupVersion(ecsNodeClassKind),
    spec: { ...ecsNodeClassDescriptor.example.spec, ...spec },
    status,
  }) as KubeObject

const daemonSet = (name: string): DaemonSet => ({
  ...{ apiVersion: 'apps/v1', kind: 'DaemonSet', metadata: { name, namespace: 'kube-system' } },
  spec: { selector: {}, template: { spec: { containers: [] } } },
})
const detector = daemonSet('ack-node-problem-detector-daemonset')

const findings = (...objects: readonly KubeObject[]) =>
  auditFindings(
    new Audit({
      ...{ objects, now: 0, source: { kind: 'cluster', unread: new Map() } },
      ...{ typesOf: () => undefined, vocabulary: new LabelVocabulary(alibabaVocabulary) },
    }),
    checks,
  )
    .filter(({ status }) => status !== 'pass')
    .map(({ id, objects: found }) => [id, ...found])

test('a healthy cluster has no findings', () => {
  expect(findings(pool('a', undefined, ['spot']), nodeClass(), detector)).toEqual([])
})

test('NodePools of Alibaba’s own provider are recognised, and its classes are not mistaken for Kerf’s', () => {
  const other = pool('other', 'karpenter.alibabacloud.com', ['spot'])
  expect(findings(other, detector)).toEqual([['COX-022', 'NodePool other']])
})

test('spot nodes without a node problem detector', () => {
  expect(
    findings(pool('a', undefined, ['spot']), pool('b'), pool('any', undefined, []), nodeClass(), daemonSet('other')),
  ).toEqual([['COX-023', 'NodePool a', 'NodePool any']])
})

test.each([
  ['POOL-022', {}, { ...resolved, images: [] }],
  ['POOL-023', { imageSelectorTerms: [{ alias: 'AlibabaCloudLinux3@latest' }] }, resolved],
  ['POOL-023', { systemDisk: { volumeSize: '18Ti' } }, resolved],
  ['POOL-024', { password: 'Secret-1234' }, resolved],
])('%s: %j', (id, spec, status) => {
  expect(findings(pool('a'), nodeClass(spec as never, status), detector)).toEqual([[id, 'ECSNodeClass default']])
})
