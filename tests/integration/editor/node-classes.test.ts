import { describe, expect, test } from 'vitest'
import {
  checkText,
  compiled,
  editorText,
  schemaOfCrd,
  schemaOfOpenApi,
} from '../../../packages/dashboard/plugin/src/model/editing.ts'
import { fieldGroups } from '../../../packages/dashboard/plugin/src/model/fields.ts'
import { displayedKinds } from '../../../packages/dashboard/plugin/src/model/generated/displayed-kinds.ts'
import { buildGraph } from '../../../packages/dashboard/plugin/src/model/graph.ts'
import { columnText } from '../../../packages/dashboard/plugin/src/model/node-class-columns.ts'
import { displayedKind } from '../../../packages/dashboard/plugin/src/model/node-class-kinds.ts'
import { at, type Fields } from '../../../packages/dashboard/plugin/src/model/read.ts'
import { readyStatus } from '../../../packages/dashboard/plugin/src/model/status.ts'
import { dashboardCases } from '../../support/dashboard-cases.ts'

const all = await dashboardCases()

test('every kind with its own columns has a test case', () => {
  const cases = new Set(all.map(({ plural, example }) => `${plural}.${example.apiVersion.split('/')[0]}`))
  const kinds = displayedKinds.filter(({ columns = [] }) => columns.length > 0)
  expect(kinds.map(({ plural, group }) => `${plural}.${group}`).filter((name) => !cases.has(name))).toEqual([])
})

describe.each(all.map((each) => [each.provider, each] as const))('the classes of %s', (_name, provider) => {
  const { example, plural, schema, shown, mistake } = provider
  const [group = '', version = ''] = example.apiVersion.split('/')
  const { columns = [] } = displayedKind(group, example.kind) ?? {}

  test('are known by group, kind and version', () => {
    const known = displayedKind(group, example.kind)
    expect(known).toMatchObject({ plural })
    expect(known?.versions).toContain(version)
  })

  test('have the columns in the list that their users need', () => {
    expect(columns.map((column) => columnText(column, example))).toEqual(shown)
    expect(readyStatus(example).code).toBe('Ready')
    // An incomplete node class shows fewer values, without an error.
    for (const odd of [{}, { spec: null, status: 'x' }, { spec: { zones: 7, imageSelectorTerms: [null, 'x'] } }])
      for (const column of columns) expect(columnText(column, odd)).toEqual(expect.any(String))
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
    const { links } = buildGraph({
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
    const text = editorText(example)
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
})

/** Schemas that allow every field: of the whole object, of its spec, and none at all. */
const schemaless: readonly (readonly [string, Fields | undefined])[] = [
  ['an object of any fields', { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }],
  [
    'a spec of any fields',
    { type: 'object', properties: { spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } } },
  ],
  ['no schema', undefined],
]

describe.each(schemaless)('with a CustomResourceDefinition for %s', (_, schema) => {
  /** A definition without printer columns, and the OpenAPI document that the API server makes of it. */
  const definition = { spec: { versions: [{ name: 'v1', ...(schema && { schema: { openAPIV3Schema: schema } }) }] } }
  const identity = { group: 'karpenter.example.com', kind: 'OtherNodeClass', version: 'v1' }
  const openApi = {
    components: { schemas: { other: { ...schema, 'x-kubernetes-group-version-kind': [identity] } } },
  }
  const read = schemaOfCrd(definition, 'v1')
  const schemas = schema === undefined ? [read] : [read, schemaOfOpenApi(openApi, identity.group, 'v1', identity.kind)]

  test.each(all.map(({ provider, example }) => [provider, example] as const))(
    'the class of %s without a status is shown and edited, and no field is lost',
    (_provider, example) => {
      const { status: _status, ...object } = example as Fields
      const text = editorText(object).replace('spec:', 'spec:\n  noSuchField:\n    deep: [1, {a: b}]')
      for (const each of schemas) {
        const { problems, object: edited, stored } = checkText(text, compiled(each), object)
        expect(problems).toEqual([])
        expect(at(edited, 'spec')).toEqual({
          ...(at(object, 'spec') as Fields),
          noSuchField: { deep: [1, { a: 'b' }] },
        })
        expect(at(stored, 'spec')).toEqual(at(edited, 'spec'))
        // With any schema, the editor refuses a changed kind, as the API server would.
        expect(checkText(text.replace('kind: ', 'kind: X'), compiled(each), object).problems).not.toEqual([])
      }
      expect(readyStatus(object).code).toBe('Pending')
      expect(fieldGroups(at(object, 'status'))).toEqual([])
    },
  )
})

test('an unknown kind has the common columns, its settings and an editor', () => {
  expect(displayedKind('karpenter.example.com', 'OtherNodeClass')).toBeUndefined()
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
