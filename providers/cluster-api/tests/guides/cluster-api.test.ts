import { readFileSync } from 'node:fs'
import { formatResources, type KubeObject, karpenterKinds, labels } from '@kerf/apis'
import { deploymentOffer, mergedTypes, readMachineDeployment } from '@kerf/provider-cluster-api'
import { clusterApiNodeClassKind, clusterApiNodeClassResource } from '@kerf/provider-cluster-api/node-class'
import { SeededRandom, VirtualClock } from '@kerf/runtime'
import { installCustomResources } from '@kerf/runtime/testing'
import { SandboxApi } from '@kerf/sandbox'
import { Command } from 'commander'
import { expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { verbs } from '../../../../packages/cli/src/verbs.ts'
import { documentSteps } from '../../../../tests/integration/guides/guide-steps.ts'

/** These tests cover the parts of `providers/cluster-api/docs/guides/cluster-api.md` that need no management cluster. */
const text = readFileSync(new URL('../../docs/guides/cluster-api.md', import.meta.url), 'utf8')
const examples = [...text.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].flatMap(([, yaml = '']) =>
  parseAllDocuments(yaml).map((document) => document.toJS() as KubeObject),
)
const commands = documentSteps('guides/cluster-api').map(({ commands: block }) => block)

const exampleOf = (kind: string): KubeObject => {
  const found = examples.find((example) => example.kind === kind)
  if (found === undefined) throw new Error(`the guide has no ${kind}`)
  return found
}

test('Kerf offers its MachineDeployment as the guide says, without a problem', () => {
  const deployment = readMachineDeployment(exampleOf('MachineDeployment'))
  expect(deployment.strategy).toBe('OnDelete')
  const { types, problems } = mergedTypes([deploymentOffer(deployment, true)])
  expect(problems).toEqual([])
  const [type] = types
  expect(type?.name).toBe('standard-4')
  expect(formatResources(type?.capacity ?? {})).toEqual({
    cpu: '4',
    memory: '16Gi',
    'ephemeral-storage': '80Gi',
    pods: '110',
  })
  expect(type?.offerings).toEqual([
    {
      requirements: [
        { key: labels.zone, operator: 'In', values: ['zone-a'] },
        { key: labels.capacityType, operator: 'In', values: ['on-demand'] },
      ],
      price: 0.192,
      available: true,
    },
  ])
})

test('its nodes join with the taint that registration waits for, and its deployment leaves replicas to Kerf', () => {
  expect(exampleOf('KubeadmConfigTemplate')).toMatchObject({
    spec: {
      template: {
        spec: {
          joinConfiguration: {
            nodeRegistration: { taints: [{ key: 'karpenter.sh/unregistered', value: 'true', effect: 'NoExecute' }] },
          },
        },
      },
    },
  })
  expect(JSON.stringify(exampleOf('MachineDeployment'))).not.toContain('"replicas"')
  const { labels: ofTemplate } = readMachineDeployment(exampleOf('MachineDeployment'))
  expect(ofTemplate).toEqual({ 'node.cluster.x-k8s.io/karpenter-member': '' })
})

test('the API server admits its node class and NodePool', async () => {
  const client = new SandboxApi({ clock: new VirtualClock(), random: new SeededRandom(1) }).client()
  await installCustomResources(client, [clusterApiNodeClassResource])
  const block = commands.find((each) => each.includes("<<'END'")) ?? ''
  const manifests = /<<'END'\n([\s\S]*?)^END$/m.exec(block)?.[1] ?? ''
  const [nodeClass, pool] = parseAllDocuments(manifests).map((document) => document.toJS() as KubeObject)
  if (nodeClass === undefined || pool === undefined) throw new Error('the guide has a class and a pool')
  await client.create<KubeObject>(clusterApiNodeClassKind, nodeClass)
  await client.create<KubeObject>(karpenterKinds.NodePool, pool)
  expect(pool).toMatchObject({
    spec: { template: { spec: { nodeClassRef: { kind: nodeClass.kind, name: nodeClass.metadata.name } } } },
  })
})

test('its kerf commands use existing flags', async () => {
  const program = new Command()
  for (const verb of verbs) await verb.register(program)
  const lines = commands.flatMap((block) => block.split('\n')).filter((line) => line.startsWith('kerf '))
  expect(lines).toHaveLength(2)
  for (const line of lines) {
    let command = program
    for (const word of line.split(/[>|]/)[0]?.trim().split(/\s+/).slice(1) ?? []) {
      if (word.startsWith('--'))
        expect(
          command.options.map(({ long }) => long),
          line,
        ).toContain(word)
      else command = command.commands.find((child) => child.name() === word) ?? command
    }
    expect(command.name()).not.toBe(program.name())
  }
})
