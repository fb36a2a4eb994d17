import { karpenterKinds } from '@kerf/apis'
import { CASE_NAME, type ConformanceCase, caseTable, type Table } from '@kerf/apis/conformance'
import { awsOverlayLabels, awsPoolLabels } from '../label-names.ts'

const nodeClassRef = { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' }

const BAD_KEYS = [
  'karpenter.k8s.aws/unknown',
  'karpenter.k8s.aws/instance-pods',
  'sub.karpenter.k8s.aws/instance-cpu',
  'notkarpenter.k8s.aws/instance-cpu',
]
const OTHER_KEYS = [
  'topology.k8s.aws/zone-id',
  'example.com/karpenter.k8s.aws',
  'team',
  'karpenter.k8s.aws.example.com/a',
]

const keyCases = (table: Table, at: string, field: string, good: readonly string[], bad: readonly string[]): void => {
  const requirement = (key: string): object => ({ key, operator: 'Exists' })
  for (const key of [...good, ...OTHER_KEYS]) table.accepts(`requirement on ${key}`, { [at]: [requirement(key)] })
  for (const key of bad)
    table.refuses(`requirement on ${key}`, { [at]: [requirement('a'), requirement(key)] }, `${field}[1].key`)
}

/** Returns cases about labels of the AWS domain in NodePools, NodeClaims and NodeOverlays with the CRDs for AWS (AWS-K, AWS-L). */
export const awsLabelCases = (): readonly ConformanceCase[] => {
  const pools = caseTable(karpenterKinds.NodePool, {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodePool',
    metadata: { name: CASE_NAME },
    spec: { template: { spec: { requirements: [], nodeClassRef } } },
  })
  keyCases(pools, 'spec/template/spec/requirements', 'spec.template.spec.requirements', awsPoolLabels, BAD_KEYS)
  const labelsAt = 'spec/template/metadata'
  for (const key of [...awsPoolLabels, ...OTHER_KEYS])
    pools.accepts(`label ${key}`, { [labelsAt]: { labels: { [key]: 'a' } } })
  for (const key of BAD_KEYS)
    pools.refuses(
      `label ${key}`,
      { [labelsAt]: { labels: { fine: 'a', [key]: 'a' } } },
      'spec.template.metadata.labels',
    )

  const claims = caseTable(karpenterKinds.NodeClaim, {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodeClaim',
    metadata: { name: CASE_NAME },
    spec: { requirements: [], nodeClassRef },
  })
  keyCases(claims, 'spec/requirements', 'spec.requirements', awsPoolLabels, BAD_KEYS)

  const overlays = caseTable(karpenterKinds.NodeOverlay, {
    apiVersion: 'karpenter.sh/v1alpha1',
    kind: 'NodeOverlay',
    metadata: { name: CASE_NAME },
    spec: { requirements: [] },
  })
  const launchKeys = awsPoolLabels.filter((key) => !awsOverlayLabels.includes(key))
  keyCases(overlays, 'spec/requirements', 'spec.requirements', awsOverlayLabels, [...BAD_KEYS, ...launchKeys])
  return [...pools.cases, ...claims.cases, ...overlays.cases]
}
