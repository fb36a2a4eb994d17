import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { nodePool } from '@kerf/testing'
import { afterAll, expect, test } from 'vitest'
import { runPlan } from './run-plan.ts'

const folder = mkdtempSync(join(tmpdir(), 'kerf-plan-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const scenario = fileURLToPath(new URL('../../../../tests/scenarios/001-web-simple/', import.meta.url))
const PODS = 20_000

const pool = nodePool('default', { templateSpec: { nodeClassRef: { group: 'g', kind: 'K', name: 'n' } } })

/** Returns a pod as an API server lists it. Plans ignore most of its fields. */
const pod = (index: number) => ({
  metadata: {
    name: `p-${index}`,
    namespace: 'default',
    uid: `${index}`,
    annotations: { note: `${index} `.repeat(440) },
  },
  spec: {
    containers: [{ name: 'c', resources: { requests: { cpu: index === 7 ? 'lots' : '100m', memory: '64Mi' } } }],
    ...(index === 8 ? { nodeSelector: { 'topology.kubernetes.io/zone': 'mars' } } : {}),
    ...(index === 9 ? { volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'gone' } }] } : {}),
  },
})

test('for a pod list of more than 50 MB, plans all pods except three, and gives their reasons', async () => {
  const list = JSON.stringify({
    apiVersion: 'v1',
    kind: 'PodList',
    items: Array.from({ length: PODS }, (_, i) => pod(i)),
  })
  expect(list.length).toBeGreaterThan(50_000_000)
  writeFileSync(join(folder, 'pods.json'), list)
  writeFileSync(join(folder, 'pool.json'), JSON.stringify(pool))
  let text = ''
  const code = await runPlan(
    {
      filename: [join(folder, 'pods.json'), join(folder, 'pool.json')],
      instanceTypes: `${scenario}instance-types.json`,
      output: 'json',
      diff: false,
      explainCost: false,
      planBudget: 0,
      preferencePolicy: 'Respect',
      minValuesPolicy: 'Strict',
    },
    {
      stdout: {
        write: (part: string) => {
          text += part
        },
      },
      stderr: { write: () => {} },
      env: {},
    },
  )
  const { nodeClaims, unschedulable } = JSON.parse(text)
  expect(code).toBe(3)
  expect(nodeClaims.reduce((sum: number, { pods }: { pods: readonly string[] }) => sum + pods.length, 0)).toBe(PODS - 3)
  const reasons = new Map(unschedulable.map((each: { pod: string; reason: string }) => [each.pod, each.reason]))
  expect(reasons.get('default/p-7')).toContain('"lots" is not a quantity')
  expect(reasons.get('default/p-8')).toContain('mars')
  expect(reasons.get('default/p-9')).toContain('gone')
}, 120_000)
