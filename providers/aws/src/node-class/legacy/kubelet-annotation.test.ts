import type { KubeObject } from '@kerf/apis'
import { migrateManifests } from '@kerf/apis/legacy'
import { expect, test } from 'vitest'
import { awsNodeTemplates } from './aws-node-templates.ts'

const migrate = (objects: readonly KubeObject[]) => migrateManifests(objects, { templates: awsNodeTemplates })

const KUBELET = 'compatibility.karpenter.sh/v1beta1-kubelet-conversion'
const REFERENCE = 'compatibility.karpenter.sh/v1beta1-nodeclass-reference'

const pool = (name: string, annotations: Readonly<Record<string, string>> = {}): KubeObject =>
  ({
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodePool',
    metadata: { name, uid: 'u', annotations: { team: 'web', ...annotations } },
    spec: {
      template: {
        spec: {
          nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
          requirements: [{ key: 'karpenter.sh/capacity-type', operator: 'In', values: ['spot'] }],
        },
      },
    },
  }) as KubeObject

const nodeClass = (spec: object = {}): KubeObject =>
  ({
    apiVersion: 'karpenter.k8s.aws/v1',
    kind: 'EC2NodeClass',
    metadata: { name: 'default', uid: 'u', finalizers: ['karpenter.k8s.aws/termination'] },
    spec: {
      role: 'nodes',
      amiSelectorTerms: [{ alias: 'al2023@latest' }],
      subnetSelectorTerms: [{ tags: { a: 'b' } }],
      securityGroupSelectorTerms: [{ tags: { a: 'b' } }],
      ...spec,
    },
    status: { subnets: [] },
  }) as KubeObject

type Written = KubeObject & { readonly spec: ReturnType<typeof JSON.parse> }
const named = (objects: readonly KubeObject[], kind: string, name: string) =>
  objects.find((object) => object.kind === kind && object.metadata.name === name) as Written | undefined

test('kubelet settings of an annotation go into the class and override its own', () => {
  const settings = { [KUBELET]: '{"maxPods":110,"kubeReserved":{"cpu":1}}', [REFERENCE]: '{"name":"default"}' }
  const { objects, problems, fields } = migrate([pool('a', settings), nodeClass({ kubelet: { maxPods: 58 } })])
  expect(problems).toEqual([])
  expect(named(objects, 'EC2NodeClass', 'default')).toMatchObject({
    metadata: { name: 'default' },
    spec: { role: 'nodes', kubelet: { maxPods: 110, kubeReserved: { cpu: '1' } } },
  })
  expect(named(objects, 'EC2NodeClass', 'default')?.metadata).toEqual({ name: 'default' })
  expect(named(objects, 'NodePool', 'a')?.metadata).toEqual({ name: 'a', annotations: { team: 'web' } })
  expect(fields.map(({ field, fate }) => `${field} ${fate}`)).toEqual([
    'metadata.name kept',
    `metadata.annotations.${REFERENCE} gone`,
    `metadata.annotations.${KUBELET} changed`,
  ])
})

test('pools that use the class unchanged or with other settings keep their settings', () => {
  const { objects } = migrate([
    nodeClass({ kubelet: { maxPods: 58 } }),
    pool('as-it-is'),
    pool('a', { [KUBELET]: '{"maxPods":110}' }),
    pool('b', { [KUBELET]: '{"maxPods":20}' }),
  ])
  const className = (name: string) => named(objects, 'NodePool', name)?.spec.template.spec.nodeClassRef.name
  const classKubelet = (name: string) => named(objects, 'EC2NodeClass', name)?.spec.kubelet
  expect([className('a'), className('b')]).toEqual(['default-a', 'default-b'])
  expect([classKubelet('default'), classKubelet('default-a'), classKubelet('default-b')]).toEqual([
    { maxPods: 58 },
    { maxPods: 110 },
    { maxPods: 20 },
  ])
})

test('a missing class and an annotation that is not JSON are reported as problems', () => {
  const { problems } = migrate([pool('a', { [KUBELET]: '{"maxPods":110}' }), pool('b', { [KUBELET]: '{' })])
  expect(problems.map(({ object, message }) => `${object} ${message}`)).toEqual([
    expect.stringContaining('NodePool/a refers to EC2NodeClass/default, which is not in the manifests'),
    expect.stringContaining(`NodePool/b metadata.annotations.${KUBELET} is not the JSON of an object`),
  ])
})

test('a missing role is reported, rules that were not checked are not', () => {
  const old = (spec: object) =>
    ({
      apiVersion: 'karpenter.k8s.aws/v1beta1',
      kind: 'EC2NodeClass',
      metadata: { name: 'default' },
      spec: { amiFamily: 'AL2023', subnetSelectorTerms: [{ tags: { a: 'b' } }], ...spec },
    }) as KubeObject
  const groups = { securityGroupSelectorTerms: [{ tags: { a: 'b' } }] }
  const messages = (spec: object) => migrate([old(spec)]).problems.map(({ message }) => message)
  expect(messages(groups)).toEqual([expect.stringContaining('has neither role nor instanceProfile')])
  expect(messages({ associatePublicIPAddress: 'yes' })).toEqual([
    expect.stringContaining('associatePublicIPAddress'),
    expect.stringContaining('securityGroupSelectorTerms'),
    expect.stringContaining('has neither role nor instanceProfile'),
  ])
})
