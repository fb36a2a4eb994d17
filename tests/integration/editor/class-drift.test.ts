import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { nodeClassHash as ec2Hash } from '@kerf/provider-aws'
import { ec2NodeClassResource } from '@kerf/provider-aws/node-class'
import { ec2NodeClass } from '@kerf/provider-aws/testing/node-class'
import { nodeClassHash as aksHash } from '@kerf/provider-azure'
import { aksNodeClassResource } from '@kerf/provider-azure/node-class'
import { describe, expect, test } from 'vitest'
import { allCrdFiles } from '../../../packages/cli/src/crds/crd-files.ts'
import { classChange } from '../../../packages/dashboard/plugin/src/model/class-change.ts'
import { checkText, compiled, schemaOfCrd, textOf } from '../../../packages/dashboard/plugin/src/model/editing.ts'
import { otherProviders } from '../../../packages/dashboard/plugin/src/model/testing/provider-crds.ts'
import { providerFiles } from '../../support/provider-files.ts'

type Fields = Readonly<Record<string, unknown>>

/** An edit of a node class, and the effect that the provider's own code gives it (`class-edits/README.md`). */
interface RecordedEdit {
  readonly what: string
  /** Fields to change in the common spec before the edit; `null` removes a field. */
  readonly before: Fields
  readonly after: Fields
  readonly hashDiffers: boolean
  /** Whether the drift code of the provider requests something else from the cloud after the edit. */
  readonly otherIsSelected: boolean
}

interface RecordedEdits {
  readonly provider: string
  readonly group: string
  readonly kind: string
  /** Whether the drift code compares the hash of a claim with that of its class. */
  readonly isHashCompared: boolean
  readonly spec: Fields
  readonly edits: readonly RecordedEdit[]
}

const recorded = [
  ...globSync(join(import.meta.dirname, 'class-edits/*.json')).toSorted(),
  ...providerFiles('tests/class-edits.json'),
].map((path): RecordedEdits => JSON.parse(readFileSync(path, 'utf8')))

const on = (spec: Fields, edit: Fields): Fields =>
  Object.fromEntries(Object.entries({ ...spec, ...edit }).filter(([, value]) => value !== null))

const classOf = (spec: object): object => ({ metadata: { name: 'default' }, spec })

/** Returns the effect of an edit as the editor predicts it. */
const effectOf = (group: string, kind: string, before: object, after: object): string =>
  classChange(classOf(before), classOf(after), group, kind, []).effect

const recordedEffect = ({ isHashCompared }: RecordedEdits, { hashDiffers, otherIsSelected }: RecordedEdit): string => {
  if (isHashCompared && hashDiffers) return 'drift'
  return otherIsSelected ? 'may-drift' : 'none'
}

const specsOf = ({ spec }: RecordedEdits, { before, after }: RecordedEdit): readonly [Fields, Fields] => [
  on(spec, before),
  on(spec, after),
]

describe.each(recorded.map((each) => [each.kind, each.provider, each] as const))('%s of %s', (kind, _, all) => {
  test.each(all.edits.map((edit) => [edit.what, edit] as const))('%s', (_what, edit) => {
    const [before, after] = specsOf(all, edit)
    expect(effectOf(all.group, kind, before, after)).toBe(recordedEffect(all, edit))
    expect(effectOf(all.group, kind, after, before)).toBe(recordedEffect(all, edit))
  })
})

test('recordings contain drift, possible drift and no drift, in at least 25 edits if a class has fields for them', () => {
  for (const each of recorded) {
    const effects = each.edits.map((edit) => recordedEffect(each, edit))
    expect(effects, each.kind).toContain('none')
    if (each.isHashCompared) expect(effects, each.kind).toContain('drift')
    if (each.kind !== 'ClusterAPINodeClass') expect(each.edits.length, each.kind).toBeGreaterThanOrEqual(25)
  }
})

/** The fields of the spec in our definition of each class. */
const definedFields: Readonly<Record<string, readonly string[]>> = Object.fromEntries([
  ...[ec2NodeClassResource, aksNodeClassResource].map(
    ({ kind, spec }) => [kind.kind, Object.keys((spec as { readonly properties: object }).properties)] as const,
  ),
  ...otherProviders.map(({ example, schema }) => {
    const { properties } = schema as { readonly properties: { readonly spec: { readonly properties: object } } }
    return [example.kind, Object.keys(properties.spec.properties)] as const
  }),
])

test.each(recorded.flatMap((each) => (each.kind in definedFields ? [[each.kind, each] as const] : [])))(
  'each field of %s is edited',
  (kind, { edits }) => {
    const edited = new Set(edits.flatMap(({ after }) => Object.keys(after)))
    expect(definedFields[kind]?.filter((field) => !edited.has(field))).toEqual([])
  },
)

const hashes = {
  EC2NodeClass: (spec: Fields) => ec2Hash({ spec: spec as never }, { caBundle: 'a' }),
  AKSNodeClass: (spec: Fields) => aksHash({ spec: spec as never }),
} as const

describe.each(Object.entries(hashes))("our own hash of %s differs where upstream's does", (kind, hash) => {
  const cases = recorded
    .filter((each) => each.kind === kind)
    .flatMap((each) => each.edits.map((edit) => [edit.what, each, edit] as const))

  test.each(cases)('%s', (_, all, edit) => {
    const [before, after] = specsOf(all, edit)
    expect(hash(before) !== hash(after)).toBe(edit.hashDiffers)
  })
})

test.each([
  ['karpenter.kwok.sh', 'KWOKNodeClass', 'none'],
  // The source of its controller is not public.
  ['eks.amazonaws.com', 'NodeClass', 'may-drift'],
  ['nodes.example.org', 'HouseNodeClass', 'may-drift'],
])('%s/%s: the effect of an edit is %s', (group, kind, effect) => {
  expect(effectOf(group, kind, { role: 'nodes' }, { role: 'others' })).toBe(effect)
})

test.each([
  ['30G', '50G', 'none'],
  ['30G', '30Gi', 'drift'],
  ['30Gi', '50Gi', 'none'],
])('a rule may hash only the kind of unit: a boot disk of %s that becomes %s: %s', (before, after, effect) => {
  const disk = (size: string) => ({ bootDevice: { size } })
  expect(effectOf('karpenter.proxmox.sinextra.dev', 'ProxmoxNodeClass', disk(before), disk(after))).toBe(effect)
})

test('a default that an edit removes is stored again, and causes no drift', () => {
  const { manifest } = allCrdFiles().find((each) => each.manifest.spec.names.kind === 'EC2NodeClass') ?? {}
  const schema = compiled(schemaOfCrd(manifest, 'v1'))
  const full = {
    httpEndpoint: 'enabled',
    httpProtocolIPv6: 'disabled',
    httpPutResponseHopLimit: 1,
    httpTokens: 'required',
  } as const
  const nodeClass = ec2NodeClass('default', { spec: { metadataOptions: full } })
  const edited = textOf(ec2NodeClass('default', { spec: { metadataOptions: { httpTokens: 'required' } } }))
  const { object, stored, problems } = checkText(edited, schema, nodeClass)
  expect(problems).toEqual([])
  const effect = (after: unknown) => classChange(nodeClass, after, 'karpenter.k8s.aws', 'EC2NodeClass', []).effect
  expect([effect(object), effect(stored)]).toEqual(['drift', 'none'])
})
