import { type KubeObject, LabelVocabulary, type NodePool, type Taint } from '@kerf/apis'
import { nodePool } from '@kerf/testing'
import { expect, test } from 'vitest'
import { Audit } from '../../../../packages/cli/src/doctor/audit.ts'
import { auditFindings } from '../../../../packages/cli/src/doctor/finding.ts'
import { doctorChecks } from '../../src/diagnostics/doctor/index.ts'
import { ociVocabulary } from '../../src/labels.ts'
import type { Upstream } from '../../src/names.ts'
import { communityNodeClassDescriptor } from '../../src/node-class/community-descriptor.ts'
import { oracleNodeClassDescriptor } from '../../src/node-class/oracle-descriptor.ts'

const checks = await doctorChecks.load()
const { example: community } = communityNodeClassDescriptor
const { example: oracle } = oracleNodeClassDescriptor
const SPOT: Taint = { key: 'oci.oraclecloud.com/oke-is-preemptible', effect: 'NoSchedule' }

const pool = (upstream: Upstream, capacityTypes: readonly string[], taints: readonly Taint[] = []): NodePool => {
  const { kind } = (upstream === 'community' ? communityNodeClassDescriptor : oracleNodeClassDescriptor).resource
  return nodePool('a', {
    requirements: [{ key: 'karpenter.sh/capacity-type', operator: 'In', values: [...capacityTypes] }],
    templateSpec: { nodeClassRef: { group: kind.group, kind: kind.kind, name: 'default' }, taints: [...taints] },
  })
}

const findings = (...objects: readonly KubeObject[]) =>
  auditFindings(
    new Audit({
      ...{ objects, now: 0, source: { kind: 'cluster', unread: new Map() } },
      ...{ typesOf: () => undefined, vocabulary: new LabelVocabulary(ociVocabulary) },
    }),
    checks,
  )
    .filter(({ status }) => status !== 'pass')
    .map(({ id, objects: found }) => [id, ...found])

test.each<readonly [string, readonly KubeObject[], readonly (readonly string[])[]]>([
  ['a healthy cluster with an OciNodeClass', [pool('community', ['preemptible']), community], []],
  ['a healthy cluster with an OCINodeClass', [pool('oracle', ['spot', 'on-demand']), oracle], []],
  ['an OciNodeClass and only spot', [pool('community', ['spot']), community], [['POOL-050', 'NodePool a']]],
  ['an OCINodeClass and only spot', [pool('oracle', ['spot']), oracle], [['POOL-051', 'NodePool a']]],
  ['an OCINodeClass and only spot, with the taint', [pool('oracle', ['spot'], [SPOT]), oracle], []],
  [
    'a boot volume that is too small',
    [
      pool('community', ['on-demand']),
      {
        ...community,
        ...{ spec: { ...community.spec, bootConfig: { bootVolumeSizeInGBs: 10, bootVolumeVpusPerGB: 10 } } },
      },
    ],
    [['POOL-052', 'OciNodeClass default']],
  ],
  [
    'a script that is not base64',
    [
      pool('oracle', ['on-demand']),
      { ...oracle, ...{ spec: { ...oracle.spec, postBootstrapInitScript: 'echo hello' } } },
    ],
    [['POOL-052', 'OCINodeClass default']],
  ],
])('%s', (_, objects, found) => {
  expect(findings(...objects)).toEqual(found)
})
