import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ec2NodeClass } from '@kerf/provider-aws/testing/node-class'
import { node, nodePool, pod, spreadOver } from '@kerf/testing'
import { expect, onTestFinished, test } from 'vitest'
import { runPlan } from '../../../../packages/cli/src/plan/run-plan.ts'

const ZONE_ID = 'topology.k8s.aws/zone-id'
const nodeClassRef = { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' }
const requirement = (key: string, ...values: readonly string[]) => ({ key, operator: 'In' as const, values })
const poolWith = (...more: readonly ReturnType<typeof requirement>[]) =>
  nodePool('general', {
    requirements: [
      requirement('node.kubernetes.io/instance-type', 'm5.large'),
      requirement('karpenter.sh/capacity-type', 'on-demand'),
      ...more,
    ],
    templateSpec: { nodeClassRef, expireAfter: 'Never' },
  })
const wanting = (name: string, spec: object) =>
  pod(name, { labels: { app: 'web' }, requests: { cpu: '1' }, spec } as never)

/** Returns the zones of the planned nodes, and the notes about facts that were not checked. */
const planned = async (...objects: readonly object[]) => {
  const folder = await mkdtemp(join(tmpdir(), 'kerf-untold-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'cluster.yaml')
  await writeFile(file, objects.map((object) => JSON.stringify(object)).join('\n---\n'))
  let [text, err] = ['', '']
  const code = await runPlan(
    { filename: [file], instanceTypes: 'aws', region: 'us-east-1', output: 'json', diff: false, explainCost: false },
    {
      stdout: { write: (part: string) => (text += part) },
      stderr: { write: (part: string) => (err += part) },
      env: {},
    } as never,
  )
  const { nodeClaims } = JSON.parse(text) as { readonly nodeClaims: readonly { readonly zones: readonly string[] }[] }
  return { code, zones: nodeClaims.map(({ zones }) => zones), notChecked: err.includes(`which ${ZONE_ID} is which`) }
}

test('without the account, a spread over zone IDs is planned as a spread over zones, and the plan says so', async () => {
  const pods = [1, 2, 3].map((index) => wanting(`web-${index}`, spreadOver(ZONE_ID, 'web')))
  const { code, zones, notChecked } = await planned(ec2NodeClass('default', { status: {} }), poolWith(), ...pods)
  expect([code, notChecked, new Set(zones.flat()).size]).toEqual([0, true, 3])
})

test.each([
  ['a pool', poolWith(requirement(ZONE_ID, 'use1-az2')), {}],
  ['a pod', poolWith(), { nodeSelector: { [ZONE_ID]: 'use1-az2' } }],
])('a requirement of %s on a zone ID is not checked, and the plan says so', async (_, pool, spec) => {
  const { code, zones, notChecked } = await planned(ec2NodeClass('default', { status: {} }), pool, wanting('web', spec))
  expect([code, notChecked, zones.length]).toEqual([0, true, 1])
})

test('the plan says nothing if nobody uses zone IDs, and IDs that the class or a Node contains are checked', async () => {
  const plain = await planned(ec2NodeClass('default', { status: {} }), poolWith(), wanting('web', {}))
  expect(plain.notChecked).toBe(false)
  const subnets = ['a', 'b'].map((zone, index) => ({
    id: `subnet-${zone}`,
    zone: `us-east-1${zone}`,
    zoneID: `use1-az${index + 1}`,
  }))
  const resolved = await planned(
    ec2NodeClass('default', { status: { subnets } }),
    poolWith(requirement(ZONE_ID, 'use1-az2')),
    wanting('web', {}),
  )
  expect(resolved).toEqual({ code: 0, zones: [['us-east-1b']], notChecked: false })
  const labels = { 'topology.kubernetes.io/zone': 'us-east-1a', [ZONE_ID]: 'use1-az1' }
  const here = await planned(
    ec2NodeClass('default', { status: {} }),
    poolWith(),
    node('old', { labels, capacity: { cpu: '4', memory: '8Gi', pods: '10' } }),
    wanting('web', { nodeSelector: { [ZONE_ID]: 'use1-az1' } }),
  )
  expect(here).toEqual({ code: 0, zones: [], notChecked: false })
})
