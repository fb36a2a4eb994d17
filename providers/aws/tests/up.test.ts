import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { StartedProgram } from '@kerf/control-plane'
import { afterAll, expect, test } from 'vitest'
import { bareEnvironment, startKerf } from '../../../tests/integration/story/start-kerf.ts'

const directory = mkdtempSync(join(tmpdir(), 'kerf up '))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const start = (...args: readonly string[]): StartedProgram =>
  startKerf(['up', ...args], { cwd: directory, env: { ...bareEnvironment(), HOME: directory } })

const file = (name: string, text: string): string => {
  const path = join(directory, name)
  writeFileSync(path, text)
  return path
}

test("with EC2's machines: the quickstart on types, zones and prices of us-east-1", async () => {
  const args = ['--instance-types', 'aws', '--headless', '--until-settled', '-o', 'json', '--speed', '10']
  const { code, stdout, stderr } = await start(...args).ended
  expect({ code, problems: stderr.split('\n').filter((line) => line.startsWith('kerf:')) }).toEqual({
    code: 0,
    problems: [],
  })
  expect(stderr).toContain('spot is estimated')
  const { settled, pods, nodes } = JSON.parse(stdout)
  expect({ settled, pods }).toMatchObject({ settled: true, pods: { running: 10, pending: 0 } })
  for (const node of nodes)
    expect(node).toMatchObject({
      instanceType: expect.stringMatching(/^[a-z0-9-]+\.[a-z0-9-]+$/),
      zone: expect.stringMatching(/^us-east-1[a-f]$/),
      hourlyPrice: expect.any(Number),
    })
})

const eks = (kubelet: string): string => `apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: general}
spec:
  template:
    spec:
      requirements:
        - {key: karpenter.k8s.aws/instance-category, operator: In, values: [c, m, r]}
        - {key: karpenter.sh/capacity-type, operator: In, values: [on-demand]}
      nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}
---
apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata: {name: default}
spec:
  role: nodes
  amiSelectorTerms: [{alias: al2023@latest}]
  subnetSelectorTerms: [{tags: {karpenter.sh/discovery: shop}}]
  securityGroupSelectorTerms: [{tags: {karpenter.sh/discovery: shop}}]
  ${kubelet}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec:
  replicas: 6
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: nginx, resources: {requests: {cpu: 100m}}}]}
`
const settled = ['--headless', '--until-settled', '-o', 'json', '--speed', '10']

test('run as simulated instances of EC2’s types, as their node class has them, in the namespaces that they need', async () => {
  mkdirSync(join(directory, 'eks'))
  file('eks/cluster.yaml', eks('kubelet: {maxPods: 2}'))
  file('eks/values.yaml', 'replicas: 3\n')
  const { code, stdout, stderr } = await start(...settled, '-f', join(directory, 'eks')).ended
  expect({ code, problems: stderr.split('\n').filter((line) => line.startsWith('kerf:')) }).toEqual({
    code: 0,
    problems: [],
  })
  expect(stderr.match(/NodePools with EC2NodeClass get simulated instances of aws/g)).toHaveLength(1)
  expect(stderr).toContain('created the namespaces that the manifests need: shop')
  expect(stderr).toContain('values.yaml: it has neither apiVersion nor kind')
  const { pods, nodes } = JSON.parse(stdout)
  expect(pods).toEqual({ running: 6, pending: 0 })
  expect(nodes.map((node: { pods: number }) => node.pods)).toEqual([2, 2, 2])
  for (const node of nodes)
    expect(node).toMatchObject({
      instanceType: expect.stringMatching(/^[cmr]\d/),
      zone: expect.stringMatching(/^us-east-1/),
    })
})

test('a node class that its provider would refuse launches nothing', async () => {
  const { code, stdout, stderr } = await start(
    ...settled,
    '-f',
    file('refused-class.yaml', eks('kubelet: {maxPods: 2, podsPerCore: -1}')),
  ).ended
  expect(code).toBe(3)
  expect(JSON.parse(stdout)).toMatchObject({ nodeClaims: 0, pods: { pending: 6 } })
  expect(stderr).toContain('NodePool general is not ready: spec.kubelet.podsPerCore: -1 is negative')
})
