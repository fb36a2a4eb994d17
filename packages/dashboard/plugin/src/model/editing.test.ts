import { coreResources, crdManifests } from '@kerf/apis'
import { describe, expect, test } from 'vitest'
import { classChange } from './class-change.ts'
import { checkText, cleanObject, compiled, editorText, forSaving, schemaOfCrd, schemaOfOpenApi } from './editing.ts'
import { displayedKinds } from './generated/displayed-kinds.ts'

const crd = crdManifests({ resources: coreResources }).find(
  ({ manifest }) => manifest.spec.names.kind === 'NodePool',
)?.manifest
const schema = compiled(schemaOfCrd(crd, 'v1'))

const stored = {
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodePool',
  metadata: {
    name: 'general',
    uid: 'u',
    resourceVersion: '7',
    generation: 2,
    creationTimestamp: '2026-01-01T00:00:00Z',
    managedFields: [{ manager: 'kubectl' }],
    annotations: {
      'kubectl.kubernetes.io/last-applied-configuration': '{}',
      'karpenter.sh/nodepool-hash': '5',
      own: 'x',
    },
  },
  spec: {
    template: {
      spec: {
        requirements: [{ key: 'kubernetes.io/arch', operator: 'In', values: ['amd64'] }],
        nodeClassRef: { group: 'karpenter.example.com', kind: 'HouseNodeClass', name: 'default' },
        expireAfter: '720h',
      },
    },
    limits: { cpu: '100' },
    disruption: {
      consolidateAfter: '0s',
      consolidationPolicy: 'WhenEmptyOrUnderutilized',
      budgets: [{ nodes: '10%' }],
    },
  },
  status: { nodes: 3 },
}
const text = editorText(stored)

describe('the text of an object', () => {
  test('contains what the user wrote and no server fields', () => {
    expect(cleanObject(stored)).toEqual({
      apiVersion: 'karpenter.sh/v1',
      kind: 'NodePool',
      metadata: { name: 'general', annotations: { own: 'x' } },
      spec: stored.spec,
    })
    expect(text.split('\n').slice(0, 3)).toEqual(['apiVersion: karpenter.sh/v1', 'kind: NodePool', 'metadata:'])
  })

  test('has no problems if unchanged, including a CPU limit written as a string', () => {
    expect(checkText(text, schema, stored).problems).toEqual([])
  })

  test('is sent with the resourceVersion from the start of the edit', () => {
    const { object } = checkText(text.replace('"100"', '"200"'), schema, stored)
    const { managedFields: _, ...metadata } = stored.metadata
    expect(forSaving(object ?? {}, stored)).toEqual({
      ...stored,
      metadata,
      spec: { ...stored.spec, limits: { cpu: '200' } },
    })
  })
})

describe('an invalid edit is refused at the right position', () => {
  const lineOf = (part: string, within = text): number =>
    within.split('\n').findIndex((line) => line.includes(part)) + 1

  test.each([
    [
      'a value that is not in the enum',
      'WhenEmptyOrUnderutilized',
      'Sometimes',
      'consolidationPolicy',
      'Unsupported value: "Sometimes"',
    ],
    ['a pattern', 'consolidateAfter: 0s', 'consolidateAfter: soon', 'consolidateAfter', 'Invalid value: "soon"'],
    ['a budget above 100%', '10%', '110%', 'nodes: 110%', 'Invalid value: "110%"'],
    ['an operator', 'operator: In', 'operator: Near', 'operator: Near', 'Unsupported value: "Near"'],
    [
      'a CEL rule',
      'operator: In\n          values:\n            - amd64',
      'operator: In',
      'key: kubernetes.io/arch',
      'must have at least one value',
    ],
    ['a transition rule', 'group: karpenter.example.com', 'group: other', 'nodeClassRef', 'may not change'],
  ])('%s', (_name, from, to, near, message) => {
    expect(text).toContain(from)
    const edited = text.replace(from, to)
    const { problems } = checkText(edited, schema, stored)
    expect(problems.length).toBeGreaterThan(0)
    const found = problems.find((problem) => problem.message.includes(message))
    expect(found?.line).toBe(lineOf(near, edited))
  })

  test('an unknown field is named', () => {
    const edited = text.replace('expireAfter: 720h', 'expiresAfter: 720h')
    expect(checkText(edited, schema, stored).problems).toContainEqual({
      line: lineOf('expiresAfter', edited),
      column: expect.any(Number),
      message: 'spec.template.spec.expiresAfter: unknown field',
      severity: 'error',
    })
  })

  test('text that is invalid YAML, empty, a list or an alias bomb is refused', () => {
    for (const odd of ['a: [', '', '- 1', 'a: &a [1]\nb: &b [*a,*a]\nc: [*b,*b]\n', '\t:', 'x: *nowhere']) {
      const { problems } = checkText(odd, schema, stored)
      expect(problems.length).toBeGreaterThan(0)
      for (const { line, column } of problems) expect([line, column].every((each) => each >= 1)).toBe(true)
    }
  })

  test('an alias of its own ancestor is refused at the alias', () => {
    expect(checkText(`${text}x: &x\n  y: *x\n`, schema, stored)).toEqual({
      object: undefined,
      stored: undefined,
      problems: [
        {
          line: text.split('\n').length + 1,
          column: 6,
          message: 'anchor "x" contains itself',
          severity: 'error',
        },
      ],
    })
    // An anchor can also contain itself through a second anchor, or through a list.
    for (const odd of ['a: &a\n  b: &b\n    - *a\n', '&a [*a]'])
      expect(checkText(odd, schema, stored).problems[0]?.message).toBe('anchor "a" contains itself')
    expect(checkText(text.replace('name: general', 'name: &n general'), schema, stored).problems).toEqual([])
  })

  test('a text that is nested too deeply for the parser is refused', () => {
    const { object, problems } = checkText('['.repeat(50_000), schema, stored)
    expect([object, problems.length > 0]).toEqual([undefined, true])
  })

  test.each([
    [
      'an annotation that is not a string',
      'own: x',
      'own: 5',
      'own: 5',
      'metadata.annotations["own"]: Invalid value: 5',
    ],
    ['an annotation’s key', 'own: x', 'o wn: x', 'o wn: x', 'the name must consist of letters'],
    [
      'a label',
      'name: general',
      'name: general\n  labels:\n    team: a b',
      'a b',
      'metadata.labels["team"]: Invalid value: "a b"',
    ],
    [
      'labels that are a list',
      'name: general',
      'name: general\n  labels: [a]',
      'labels: [a]',
      'must be a map of texts',
    ],
    [
      'a finalizer',
      'name: general',
      'name: general\n  finalizers:\n    - example.com/ok\n    - x y',
      'x y',
      'metadata.finalizers[1]: Invalid value: "x y"',
    ],
  ])('metadata is checked although no CRD describes it: %s', (_name, from, to, near, message) => {
    const edited = text.replace(from, to)
    const found = checkText(edited, schema, stored).problems
    expect(found).toEqual([
      {
        line: lineOf(near, edited),
        column: expect.any(Number),
        message: expect.stringContaining(message),
        severity: 'error',
      },
    ])
  })

  test('a rule about list items marks the items that violate it', () => {
    const requirement = (key: string, more: object) => ({ key, operator: 'In', ...more })
    const pool = structuredClone(stored)
    pool.spec.template.spec.requirements = [
      requirement('a', { values: ['1'] }),
      requirement('b', { values: [] }),
      requirement('c', { values: ['1'] }),
      requirement('d', { values: [] }),
    ] as never
    const edited = editorText(pool)
    const lines = checkText(edited, schema, stored).problems.map(({ line, message }) => [line, message.split(':')[0]])
    expect(lines).toEqual(['key: b', 'key: d'].map((near) => [lineOf(near, edited), 'spec.template.spec.requirements']))
  })

  test('if a schema error prevents the rule checks, only that error is shown', () => {
    const edited = text.replace('consolidateAfter: 0s', 'consolidateAfter: [1]')
    expect(checkText(edited, schema, stored).problems.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^spec\.disruption\.consolidateAfter: Invalid value/),
    ])
  })

  test('another name or kind is refused', () => {
    const { problems } = checkText(text.replace('name: general', 'name: other'), schema, stored)
    expect(problems[0]).toMatchObject({ line: lineOf('name: general'), message: 'metadata.name: must stay general' })
  })
})

describe('values that a controller cannot use cause a warning and do not prevent saving', () => {
  const budget = 'nodes: 10%'
  const requirement = '- key: kubernetes.io/arch'
  test.each([
    [
      'an impossible schedule',
      budget,
      `${budget}\n        schedule: 99 99 * * *\n        duration: 1h`,
      'schedule:',
      'budgets[0].schedule',
    ],
    [
      'a schedule that never occurs',
      budget,
      `${budget}\n        schedule: 0 0 30 2 *\n        duration: 1h`,
      'schedule:',
      'applies always',
    ],
    [
      'a limit that is too large for a quantity',
      '"100"',
      '"100000000000000000000000"',
      'cpu:',
      'spec.limits["cpu"]: more than',
    ],
    [
      'bounds that allow no value',
      requirement,
      `- key: example.com/n\n          operator: Gt\n          values: ["9"]\n        - key: example.com/n\n          operator: Lt\n          values: ["3"]\n        ${requirement}`,
      '["3"]',
      'no value of example.com/n meets all of its 2 requirements',
    ],
    [
      'a value that no node has',
      'kubernetes.io/arch',
      'karpenter.sh/capacity-type',
      'key: karpenter.sh/capacity-type',
      'none of the values "amd64" exists',
    ],
  ])('%s', (_name, from, to, near, message) => {
    const edited = text.replace(from, to)
    expect(edited).not.toBe(text)
    const { problems } = checkText(edited, schema, stored)
    expect(problems).toEqual([
      {
        line: expect.any(Number),
        column: expect.any(Number),
        message: expect.stringContaining(message),
        severity: 'warning',
      },
    ])
    const line = edited.split('\n').findIndex((each) => each.includes(near)) + 1
    // A requirement is marked at its key, two lines above this value.
    expect([line, line - 2]).toContain(problems[0]?.line)
  })

  test('bounds that allow some values are valid, and labels of a provider are valid', () => {
    const own = `- key: karpenter.example.com/instance-cpu\n          operator: Gt\n          values: ["3"]\n        - key: karpenter.example.com/instance-cpu\n          operator: Lt\n          values: ["9"]\n        ${requirement}`
    expect(checkText(text.replace(requirement, own), schema, stored).problems).toEqual([])
  })
})

test('finds the schema in the CRD or in the OpenAPI document, and ignores an unreadable schema', () => {
  const own = schemaOfCrd(crd, 'v1')
  const openApi = {
    components: {
      schemas: {
        'sh.karpenter.v1.NodePool': {
          ...own,
          'x-kubernetes-group-version-kind': [{ group: 'karpenter.sh', version: 'v1', kind: 'NodePool' }],
        },
      },
    },
  }
  expect(schemaOfOpenApi(openApi, 'karpenter.sh', 'v1', 'NodePool')).toMatchObject({ type: 'object' })
  expect(schemaOfOpenApi(openApi, 'karpenter.sh', 'v2', 'NodePool')).toBeUndefined()
  expect(schemaOfCrd('x', 'v1')).toBeUndefined()
  expect(compiled({ type: 'object', 'x-kubernetes-validations': [{ rule: 'self.(' }] })).toBeUndefined()
})

describe('a change of a node class', () => {
  const known = displayedKinds.find(({ drift }) => drift?.isHashed === true && drift.selectors.length > 0)
  const HASHED = [known?.group ?? '', known?.kind ?? ''] as const
  const [selector = ''] = known?.drift?.selectors ?? []
  const of = (name: string, [group, kind]: readonly [string, string], more: object = {}) => ({
    metadata: { name },
    spec: { nodeClassRef: { group, kind, name: 'default' } },
    status: { providerID: name, nodeName: 'n', ...more },
  })
  const drifted = { conditions: [{ type: 'Drifted', status: 'True' }] }
  const claims = [
    of('own', HASHED),
    of('never-launched', HASHED, { providerID: '' }),
    of('drifts-already', HASHED, drifted),
    of('other-kind', ['g', 'B']),
  ]
  const before = { metadata: { name: 'default' }, spec: { startScript: 'a', [selector]: [{ id: '1' }] } }
  const change = (spec: object, [group, kind]: readonly [string, string] = HASHED) =>
    classChange(before, { ...before, spec: { ...before.spec, ...spec } }, group, kind, claims)

  test('affects the launched claims of that class that have not drifted yet', () => {
    expect(change({ startScript: 'b' })).toEqual({
      fields: ['startScript'],
      effect: 'drift',
      drifting: [{ claim: 'own', node: 'n' }],
    })
    expect(change({})).toEqual({ fields: [], effect: 'none', drifting: [] })
  })

  test('names only the fields with the strongest effect', () => {
    expect(change({ [selector]: [{ id: '2' }] })).toMatchObject({ fields: [selector], effect: 'may-drift' })
    expect(change({ [selector]: [{ id: '2' }], startScript: 'b' })).toMatchObject({ fields: ['startScript'] })
  })

  test('of an unknown provider may make claims drift', () => {
    expect(change({ anything: 1 }, ['g', 'B'])).toMatchObject({
      effect: 'may-drift',
      drifting: [{ claim: 'other-kind' }],
    })
  })
})
