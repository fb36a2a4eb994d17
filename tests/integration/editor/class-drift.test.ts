import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { nodeClassDescriptors } from '../../../packages/cli/src/providers.ts'
import { classChange } from '../../../packages/dashboard/plugin/src/model/class-change.ts'
import { displayedKinds } from '../../../packages/dashboard/plugin/src/model/generated/displayed-kinds.ts'
import { hashedForm } from '../../../packages/dashboard/plugin/src/model/hashed-form.ts'
import { dashboardCases } from '../../support/dashboard-cases.ts'
import { providerFiles } from '../../support/provider-files.ts'

type Fields = Readonly<Record<string, unknown>>

/** An edit of a node class, with its effect as determined by the provider's own code (`class-edits/README.md`). */
interface RecordedEdit {
  readonly what: string
  /** Fields to change in the common spec before the edit. `null` removes a field. */
  readonly before: Fields
  readonly after: Fields
  readonly hashDiffers: boolean
  /** Whether the provider's drift code selects different cloud resources after the edit. */
  readonly otherIsSelected: boolean
}

interface RecordedEdits {
  readonly provider: string
  readonly group: string
  readonly kind: string
  /** Whether the provider's drift code compares the hash of a NodeClaim with the hash of its node class. */
  readonly isHashCompared: boolean
  readonly spec: Fields
  readonly edits: readonly RecordedEdit[]
}

/** The edits of each kind. A provider with several kinds has a list of them in its file. */
const recorded = providerFiles('tests/class-edits.json').flatMap((path): RecordedEdits | readonly RecordedEdits[] =>
  JSON.parse(readFileSync(path, 'utf8')),
)

const on = (spec: Fields, edit: Fields): Fields =>
  Object.fromEntries(Object.entries({ ...spec, ...edit }).filter(([, value]) => value !== null))

const classOf = (spec: object): object => ({ metadata: { name: 'default' }, spec })

/** Returns the effect that the editor predicts for an edit. */
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

test('the recordings contain drift, possible drift and no drift, in at least 25 edits for each class that has enough fields', () => {
  for (const each of recorded) {
    const effects = each.edits.map((edit) => recordedEffect(each, edit))
    expect(effects, each.kind).toContain('none')
    if (each.isHashCompared) expect(effects, each.kind).toContain('drift')
    if ((definedFields[each.kind]?.length ?? 0) > 1) expect(each.edits.length, each.kind).toBeGreaterThanOrEqual(25)
  }
})

/** The fields that our definition of each node class has in its spec. */
const definedFields: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  (await dashboardCases()).map(({ example, schema }) => {
    const { properties } = schema as { readonly properties: { readonly spec: { readonly properties: object } } }
    return [example.kind, Object.keys(properties.spec.properties)] as const
  }),
)

test.each(recorded.flatMap((each) => (each.kind in definedFields ? [[each.kind, each] as const] : [])))(
  'each field of %s is edited',
  (kind, { edits }) => {
    const edited = new Set(edits.flatMap(({ after }) => Object.keys(after)))
    expect(definedFields[kind]?.filter((field) => !edited.has(field))).toEqual([])
  },
)

const hashes = nodeClassDescriptors.flatMap(({ resource, hash }) =>
  hash === undefined ? [] : [[resource.kind.kind, (spec: Fields) => hash.of({ spec } as never)] as const],
)

describe.each(hashes)('Kerf’s own hash of %s changes exactly if upstream’s does', (kind, hash) => {
  const edits = recorded
    .filter((each) => each.kind === kind)
    .flatMap((each) => each.edits.map((edit) => [edit.what, each, edit] as const))

  test.each(edits)('%s', (_, all, edit) => {
    const [before, after] = specsOf(all, edit)
    expect(hash(before) !== hash(after)).toBe(edit.hashDiffers)
  })
})

test.each([
  ...displayedKinds.flatMap(({ group, kind, drift }) => (drift === undefined ? [[group, kind] as const] : [])),
  ['nodes.example.org', 'HouseNodeClass'] as const,
])('%s/%s: an edit of a kind without a rule may cause drift', (group, kind) => {
  expect(effectOf(group, kind, { role: 'nodes' }, { role: 'others' })).toBe('may-drift')
})

test.each(
  displayedKinds.flatMap(({ group, kind, drift }) =>
    drift?.isHashed === false && drift.selectors.length === 0 ? [[group, kind] as const] : [],
  ),
)('%s/%s: no edit of a kind without a hash and selectors causes drift', (group, kind) => {
  expect(effectOf(group, kind, { role: 'nodes' }, { role: 'others' })).toBe('none')
})

test.each([
  ['30G', '50G', true],
  ['30G', '30Gi', false],
  ['30Gi', '50Gi', true],
])(
  'a rule may hash only the kind of unit: a boot disk of %s that becomes %s: equal is %s',
  (before, after, isEqual) => {
    const rule = { isHashed: true, selectors: [], unhashed: [], quantityUnits: ['bootDevice.size'] }
    const form = (size: string) => hashedForm({ size }, 'bootDevice', rule)
    expect(form(before) === form(after)).toBe(isEqual)
  },
)
