import { groupVersion, type KubeObject, LabelVocabulary, type NodePool } from '@kerf/apis'
import { node, nodePool } from '@kerf/testing'
import { expect, test } from 'vitest'
import { Audit } from '../../../../packages/cli/src/doctor/audit.ts'
import { auditFindings } from '../../../../packages/cli/src/doctor/finding.ts'
import { doctorChecks } from '../../src/diagnostics/doctor/index.ts'
import { proxmoxVocabulary } from '../../src/labels.ts'
import { proxmoxNodeClassDescriptor } from '../../src/node-class/node-class-descriptor.ts'
import { proxmoxNodeClassKind } from '../../src/node-class/proxmox-node-class.ts'

const checks = await doctorChecks.load()
const { example } = proxmoxNodeClassDescriptor

const pool: NodePool = nodePool('a', {
  templateSpec: {
    nodeClassRef: { group: proxmoxNodeClassKind.group, kind: proxmoxNodeClassKind.kind, name: 'default' },
  },
})
const nodeClass = (spec: object = {}): KubeObject => ({
  ...{ ...example, apiVersion: groupVersion(proxmoxNodeClassKind) },
  ...{ spec: { ...example.spec, ...spec } },
})
const joined = node('pve-guest', { providerID: 'proxmox://home/20000' })
const others = node('other', { providerID: 'kind://docker/a/b' })
const manager = (kind: 'Deployment' | 'DaemonSet'): KubeObject => ({
  ...{ apiVersion: 'apps/v1', kind },
  metadata: { name: 'proxmox-cloud-controller-manager', namespace: 'kube-system' },
  ...{ spec: { selector: {}, template: { metadata: {}, spec: { containers: [] } } } },
})

const findings = (...objects: readonly KubeObject[]) =>
  auditFindings(
    new Audit({
      ...{ objects, now: 0, source: { kind: 'cluster', unread: new Map() } },
      ...{ typesOf: () => undefined, vocabulary: new LabelVocabulary(proxmoxVocabulary) },
    }),
    checks,
  )
    .filter(({ status }) => status !== 'pass')
    .map(({ id, objects: found }) => [id, ...found])

test.each<readonly [string, readonly KubeObject[], readonly (readonly string[])[]]>([
  ['a cluster with a node of Proxmox', [pool, nodeClass(), joined], []],
  ['a Deployment of the cloud controller manager', [pool, nodeClass(), others, manager('Deployment')], []],
  ['a DaemonSet of the cloud controller manager', [pool, nodeClass(), others, manager('DaemonSet')], []],
  ['a cluster without provider IDs', [pool, nodeClass(), others], [['COX-040', 'NodePool a']]],
  [
    'a class with a tag that Proxmox refuses',
    [pool, nodeClass({ tags: ['my tag'] }), joined],
    [['POOL-040', 'ProxmoxNodeClass default']],
  ],
])('%s', (_, objects, found) => {
  expect(findings(...objects)).toEqual(found)
})
