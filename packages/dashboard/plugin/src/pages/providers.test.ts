import { crdManifests, type CustomResource } from '@kerf/apis'
import { ec2NodeClassResource } from '@kerf/provider-aws/node-class'
import { clusterApiNodeClassResource } from '@kerf/provider-cluster-api/node-class'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { checkText, compiled, schemaOfCrd, textOf } from '../model/editing.ts'
import { fieldGroups } from '../model/fields.ts'
import { graphOf } from '../model/graph.ts'
import { columnText } from '../model/node-class-columns.ts'
import { nodeClassKinds } from '../model/node-class-kinds.ts'
import { at, type Fields } from '../model/read.ts'
import { readyStatus } from '../model/status.ts'
import type { ProviderClass } from '../model/testing/provider-class.ts'
import { otherProviders } from '../model/testing/provider-crds.ts'
import { columnsOf } from './columns-of-providers.ts'

const ownSchema = (resource: CustomResource): Fields => {
  const [file] = crdManifests({ resources: [resource] })
  return schemaOfCrd(file?.manifest, resource.kind.version) ?? {}
}
const ready = { conditions: [{ type: 'Ready', status: 'True', reason: 'Ready', message: '' }] }

/** Providers whose definitions are part of Kerf. */
const ownProviders: readonly ProviderClass[] = [
  {
    provider: 'AWS',
    plural: 'ec2nodeclasses',
    schema: ownSchema(ec2NodeClassResource),
    example: {
      apiVersion: 'karpenter.k8s.aws/v1',
      kind: 'EC2NodeClass',
      metadata: { name: 'default', uid: 'uid-EC2NodeClass' },
      spec: {
        role: 'KarpenterNodeRole-demo',
        amiSelectorTerms: [{ alias: 'al2023@latest' }],
        subnetSelectorTerms: [{ tags: { 'karpenter.sh/discovery': 'demo' } }],
        securityGroupSelectorTerms: [{ tags: { 'karpenter.sh/discovery': 'demo' } }],
        kubelet: { maxPods: 110 },
      },
      status: {
        ...ready,
        instanceProfile: 'demo_1',
        amis: [{ id: 'ami-1', name: 'al2023-x86', requirements: [] }],
        subnets: [
          { id: 'subnet-1', zone: 'eu-west-1a' },
          { id: 'subnet-2', zone: 'eu-west-1b' },
        ],
      },
    },
    shown: ['demo_1', 'KarpenterNodeRole-demo', 'al2023-x86', 'subnet-1, subnet-2', 'eu-west-1a, eu-west-1b'],
    mistake: ['alias: al2023@latest', 'alias: al2023', 'spec.amiSelectorTerms[0].alias: Invalid value'],
  },
  {
    provider: 'Cluster API',
    plural: 'clusterapinodeclasses',
    schema: ownSchema(clusterApiNodeClassResource),
    example: {
      apiVersion: 'karpenter.cluster.x-k8s.io/v1alpha1',
      kind: 'ClusterAPINodeClass',
      metadata: { name: 'default', uid: 'uid-ClusterAPINodeClass' },
      spec: { scalableResourceSelector: { matchLabels: { team: 'racks' } } },
      status: ready,
    },
    shown: ['team=racks'],
    mistake: ['matchLabels', 'matchLabel', 'spec.scalableResourceSelector.matchLabel: unknown field'],
  },
]

const all = [...ownProviders, ...otherProviders]

test('are the eight that Karpenter lists, and EKS Auto Mode', () => {
  expect(all.map(({ provider }) => provider).sort()).toEqual([
    'AWS',
    'AWS (EKS Auto Mode)',
    'Alibaba Cloud',
    'Azure',
    'Bizfly Cloud',
    'Cluster API',
    'GCP',
    'OCI',
    'Proxmox',
  ])
})

describe.each(all.map((each) => [each.provider, each] as const))('the classes of %s', (_name, provider) => {
  const { example, plural, schema, shown, mistake } = provider
  const [group = '', version = ''] = example.apiVersion.split('/')

  test('are known by group, kind and version', () => {
    const known = nodeClassKinds.find((each) => each.group === group && each.kind === example.kind)
    expect(known).toMatchObject({ plural })
    expect(known?.versions).toContain(version)
  })

  test('have the columns in the list that their users need', () => {
    expect(columnsOf(group, example.kind).map((column) => columnText(column, example))).toEqual(shown)
    expect(readyStatus(example).code).toBe('Ready')
    // An incomplete class shows less, without an error.
    for (const odd of [{}, { spec: null, status: 'x' }, { spec: { zones: 7, imageSelectorTerms: [null, 'x'] } }])
      for (const column of columnsOf(group, example.kind)) expect(columnText(column, odd)).toEqual(expect.any(String))
  })

  test('show every setting on their page, in groups', () => {
    const leaves = (value: unknown): number =>
      typeof value !== 'object' || value === null
        ? 1
        : Array.isArray(value) && value.every((each) => typeof each !== 'object')
        ? 1
        : Object.values(value).reduce<number>((sum, each) => sum + leaves(each), 0)
    const groups = fieldGroups(example.spec)
    expect(groups.flatMap(({ rows }) => rows)).toHaveLength(leaves(example.spec))
    const nested = Object.entries(example.spec).filter(
      ([, value]) =>
        typeof value === 'object' && !(Array.isArray(value) && value.every((each) => typeof each !== 'object')),
    )
    expect(groups.map(({ name }) => name).filter((name) => name !== '')).toEqual(nested.map(([key]) => key))
  })

  test('appear on the map with the pool that refers to them', () => {
    const pool = {
      metadata: { name: 'p', uid: 'p' },
      spec: { template: { spec: { nodeClassRef: { group, kind: example.kind, name: 'default' } } } },
    }
    const { links } = graphOf({
      pools: [pool],
      claims: [],
      nodes: [],
      pods: [],
      classes: [{ group, kind: example.kind, object: example }],
    })
    expect(links).toEqual([{ id: 'p/class-p', source: 'p/class', target: 'p' }])
  })

  test('are edited with their own schema: the example is valid, and an error is shown at its line', () => {
    const checked = compiled(schema as Fields)
    expect(checked).toBeDefined()
    const text = textOf(example)
    expect(checkText(text, checked, example).problems).toEqual([])
    const [word, typed, problem] = mistake
    expect(text).toContain(word)
    const edited = text.replace(word, typed)
    const found = checkText(edited, checked, example).problems
    const line = edited.split('\n').findIndex((each) => each.includes(typed)) + 1
    expect(found).toEqual(
      expect.arrayContaining([expect.objectContaining({ line, message: expect.stringContaining(problem) })]),
    )
    const unknown = checkText(text.replace('spec:', 'spec:\n  noSuchField: 1'), checked, example).problems
    expect(unknown.map(({ message }) => message)).toContain('spec.noSuchField: unknown field')
    expect(at(checkText(text, checked, example).object, 'kind')).toBe(example.kind)
  })

  test('have a row in the docs, with both ticks', () => {
    const docs = readFileSync(new URL('../../../../../docs/dashboard.md', import.meta.url), 'utf8')
    const row = docs.split('\n').find((each) => each.startsWith(`| ${provider.provider} |`)) ?? ''
    expect(row).toContain(`\`${example.kind}\` (\`${group}\`)`)
    expect(row.match(/✓/g)).toHaveLength(2)
  })
})

test('an unknown kind has the common columns, its settings and an editor', () => {
  expect(columnsOf('karpenter.example.com', 'OtherNodeClass')).toEqual([])
  expect(fieldGroups({ a: 1, b: { c: [1, 2], d: [{ e: 'f' }] }, g: null, h: [] })).toEqual([
    {
      name: '',
      rows: [
        { name: 'a', value: '1' },
        { name: 'h', value: '' },
      ],
    },
    {
      name: 'b',
      rows: [
        { name: 'c', value: '1, 2' },
        { name: 'd[0].e', value: 'f' },
      ],
    },
  ])
  expect(fieldGroups(undefined)).toEqual([])
})
