import type { KubeObject } from '@kerf/apis'
import { node } from '@kerf/testing'
import { expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { draftMigration } from '../../../../packages/cli/src/migrate/draft-migration.ts'
import { readSources } from '../../../../packages/cli/src/migrate/groups/read-sources.ts'
import { workload } from '../../../../tests/integration/migrate/objects.ts'

const drafted = async (...values: readonly unknown[]) => {
  const { files, plan, conversions } = await draftMigration(
    await readSources(values.map((value) => ({ value, file: 'in' }))),
    { outputDir: 'out', variant: 'faithful', clusterName: 'shop' },
    Date.parse('2026-08-22T09:00:30Z'),
  )
  const objects = (file: string) =>
    parseAllDocuments(files.get(file) ?? '').map(
      (document) => document.toJS() as KubeObject & { readonly spec: ReturnType<typeof JSON.parse> },
    )
  return { plan, conversions, pools: objects('nodepools.yaml'), classes: objects('nodeclasses.yaml') }
}

const templates = (...nodes: readonly object[]): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'kwok-provider-templates', namespace: 'default' },
  ...{ data: { templates: JSON.stringify({ apiVersion: 'v1', kind: 'List', items: nodes }) } },
})

test("for templates of Cluster Autoscaler's KWOK provider, drops the group label and rewrites selectors on it", async () => {
  const template = node('t', {
    labels: { 'kwok-nodegroup': 'web', tier: 'front', 'node.kubernetes.io/instance-type': 'c-8x-amd64-linux' },
    capacity: { cpu: '8', memory: '16Gi', pods: '110' },
    annotations: { 'cluster-autoscaler.kwok.nodegroup/max-count': '12' },
  })
  const web = workload({
    namespace: 'shop',
    name: 'web',
    replicas: 4,
    cpu: '1',
    memory: '1Gi',
    nodeSelector: { 'kwok-nodegroup': 'web' },
  })
  const { pools, classes, plan, conversions } = await drafted(templates(template, node('alone')), web)
  expect(classes.map(({ kind }) => kind)).toEqual(['KWOKNodeClass'])
  expect(pools[0]?.spec.template.metadata.labels).toEqual({
    tier: 'front',
    autoscaler: 'karpenter',
    'node-group': 'web',
  })
  expect(pools[0]?.spec.limits.nodes).toBe('12')
  expect(plan.groups[0]?.nodeLabels).toEqual({ 'kwok-nodegroup': 'web' })
  const patch = plan.phases.flatMap(({ steps }) => steps).find((step) => step.do === 'patch')
  expect(patch).toMatchObject({
    patch: {
      spec: {
        strategy: { rollingUpdate: { maxUnavailable: 0 } },
        template: {
          metadata: { annotations: { 'cluster-autoscaler.kubernetes.io/pod-scale-up-delay': '10m' } },
          spec: { nodeSelector: { 'kwok-nodegroup': null, 'node-group': 'web', autoscaler: 'karpenter' } },
        },
      },
    },
  })
  expect(conversions.find(({ object }) => object === 'template alone')?.because).toContain(
    'it has no label kwok-nodegroup',
  )
})
