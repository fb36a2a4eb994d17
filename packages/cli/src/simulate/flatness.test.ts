import { queryObjects } from 'node:v8'
import type { KubeObject } from '@kerf/apis'
import { loadInstanceTypes } from '@kerf/provider-kwok'
import { kwokNodeClass } from '@kerf/provider-kwok/testing/node-class'
import { nodePool } from '@kerf/testing'
import { expect, test } from 'vitest'
import { runSimulation } from './simulation.ts'
import type { TraceStep } from './trace-steps.ts'

const MINUTE = 60_000
const HOURS = 3

const pool = nodePool('general', {
  requirements: [{ key: 'node.kubernetes.io/instance-type', operator: 'In', values: ['c-2x-amd64-linux'] }],
  templateSpec: { expireAfter: 'Never' },
  disruption: { consolidationPolicy: 'WhenEmptyOrUnderutilized', consolidateAfter: '30s' },
})

const nodeClass = kwokNodeClass('default')

const web: KubeObject = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'default' },
  ...{
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: 'web' } },
      template: {
        metadata: { labels: { app: 'web' } },
        spec: { containers: [{ name: 'main', image: 'web', resources: { requests: { cpu: '900m' } } }] },
      },
    },
  },
}

/** Scales up and down three times an hour and ends every hour in the same state. */
const steps: readonly TraceStep[] = Array.from({ length: HOURS * 6 }, (_, index) => ({
  at: index * 10 * MINUTE,
  kind: 'scale',
  workload: { kind: 'Deployment', namespace: 'default', name: 'web' },
  replicas: index % 2 === 0 ? 24 : 2,
}))

/** Classes whose instances could leak, one for each pod, node or call. */
const KEPT = { Object, Map, Promise } as const

const census = (): Readonly<Record<string, number>> =>
  Object.fromEntries(Object.entries(KEPT).map(([name, made]) => [name, queryObjects(made, { format: 'count' })]))

test('memory does not grow with past pods and nodes: object counts are equal after the second and the last hour', {
  timeout: 300_000,
}, async () => {
  const counts: Readonly<Record<string, number>>[] = []
  const result = await runSimulation({
    name: 'flat',
    manifests: [nodeClass, pool, web].map((object) => ({ object, file: 'test', line: 0 })),
    instanceTypes: (await loadInstanceTypes()).filter(({ name }) => name === 'c-2x-amd64-linux'),
    steps,
    seed: 1,
    span: HOURS * 60 * MINUTE,
    onProgress: (done) => {
      // Each count scans the whole heap, so the test counts only twice.
      if (done >= (counts.length === 0 ? 2 : HOURS) * 60 * MINUTE && counts.length < 2) counts.push(census())
    },
  })
  expect(result.launches).toBeGreaterThan(HOURS)
  expect(result.pods).toBeGreaterThan(HOURS * 10)
  const [second, last] = counts
  for (const name of Object.keys(KEPT)) {
    const [before = 0, after = 0] = [second?.[name], last?.[name]]
    expect({ name, before, after, isFlat: after <= before * 1.05 + 200 }).toEqual({ name, before, after, isFlat: true })
  }
})
