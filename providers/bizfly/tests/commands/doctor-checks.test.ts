import { groupVersion, type KubeObject, LabelVocabulary, type NodePool } from '@kerf/apis'
import { nodePool } from '@kerf/testing'
import { expect, test } from 'vitest'
import { Audit } from '../../../../packages/cli/src/doctor/audit.ts'
import { auditFindings } from '../../../../packages/cli/src/doctor/finding.ts'
import { doctorChecks } from '../../src/diagnostics/doctor/index.ts'
import { bizflyVocabulary } from '../../src/names.ts'
import { bizflyNodeClassKind } from '../../src/node-class/bizfly-node-class.ts'
import { bizflyNodeClassDescriptor } from '../../src/node-class/node-class-descriptor.ts'

const checks = await doctorChecks.load()

const pool = (capacityType: string, name = 'default'): NodePool =>
  nodePool('a', {
    requirements: [{ key: 'karpenter.sh/capacity-type', operator: 'In', values: [capacityType] }],
    templateSpec: { nodeClassRef: { group: bizflyNodeClassKind.group, kind: bizflyNodeClassKind.kind, name } },
  })

const { example } = bizflyNodeClassDescriptor
const nodeClass = (name = 'default', spec: object = {}): KubeObject => ({
  ...example,
  apiVersion: groupVersion(bizflyNodeClassKind),
  metadata: { name },
  ...{ spec: { ...example.spec, ...spec } },
})

const findings = (...objects: readonly KubeObject[]) =>
  auditFindings(
    new Audit({
      ...{ objects, now: 0, source: { kind: 'cluster', unread: new Map() } },
      ...{ typesOf: () => undefined, vocabulary: new LabelVocabulary(bizflyVocabulary) },
    }),
    checks,
  )
    .filter(({ status }) => status !== 'pass')
    .map(({ id, objects: found }) => [id, ...found])

test.each<readonly [string, readonly KubeObject[], readonly (readonly string[])[]]>([
  ['a healthy cluster', [pool('on-demand'), nodeClass()], []],
  ['the spelling of Bizfly’s own provider', [pool('on_demand'), nodeClass()], []],
  ['saving plans', [pool('saving_plan'), nodeClass()], [['POOL-030', 'NodePool a']]],
  ['another class', [pool('on-demand', 'other'), nodeClass('other')], [['COX-030', 'NodePool a']]],
  [
    'a class without zones',
    [pool('on-demand'), nodeClass('default', { zones: [] })],
    [['POOL-031', 'BizflyCloudNodeClass default']],
  ],
])('%s', (_, objects, found) => {
  expect(findings(...objects)).toEqual(found)
})
