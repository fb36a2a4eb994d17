import { describe, expect, test } from 'vitest'
import { coreVocabulary, LabelVocabulary, noVocabulary } from './label-vocabulary.ts'
import type { NodePoolSpec } from './resources/index.ts'
import { type RuntimeFindings, validateNodeOverlay, validateNodePool } from './runtime-validation.ts'

type TemplateSpec = NodePoolSpec['template']['spec']
const nodeClassRef = { group: 'karpenter.kwok.sh', kind: 'KWOKNodeClass', name: 'default' }

const ofPool = (
  spec: Partial<TemplateSpec>,
  labels?: Record<string, string>,
  vocabulary: LabelVocabulary = coreVocabulary,
): RuntimeFindings =>
  validateNodePool(
    {
      spec: {
        template: {
          ...(labels === undefined ? {} : { metadata: { labels } }),
          spec: { requirements: [], nodeClassRef, ...spec },
        },
      },
    },
    vocabulary,
  )

const ofRequirement = (requirement: TemplateSpec['requirements'][number]): RuntimeFindings =>
  ofPool({ requirements: [requirement] })
const clean: RuntimeFindings = { errors: [], warnings: [] }

test('an empty template is valid', () => {
  expect(ofPool({})).toEqual(clean)
})

describe('labels of the template', () => {
  test('are valid if users may set them', () => {
    expect(ofPool({}, { team: 'a', 'karpenter.sh/capacity-type': 'spot', 'notkarpenter.sh/x': '' })).toEqual(clean)
  })
  test.each([
    ['karpenter.sh/nodepool', 'a', 'the controller sets it'],
    ['karpenter.sh/custom', 'a', 'restricted'],
    ['kubernetes.io/hostname', 'a', 'restricted'],
    ['not a key!', 'a', 'letters'],
    ['team', 'not a value!', 'label value'],
  ])('%s=%s', (key, value, problem) => {
    expect(ofPool({}, { [key]: value }).errors).toEqual([expect.stringContaining(problem)])
  })
})

describe('taints', () => {
  test('must have a qualified name as their value, which may include a domain', () => {
    expect(ofPool({ taints: [{ key: 'a', value: 'example.com/b', effect: 'NoSchedule' }] })).toEqual(clean)
    expect(ofPool({ taints: [{ key: 'a', value: 'a/b/c', effect: 'NoSchedule' }] }).errors).toHaveLength(1)
  })
  test('must not have the same key and effect twice in both lists together', () => {
    const taint = { key: 'a', effect: 'NoSchedule' } as const
    expect(ofPool({ taints: [taint], startupTaints: [{ ...taint, value: 'x' }] }).errors).toEqual([
      'taint "a:NoSchedule" is defined twice',
    ])
    expect(ofPool({ taints: [taint], startupTaints: [{ ...taint, effect: 'NoExecute' }] })).toEqual(clean)
  })
})

describe('names that become label values', () => {
  const named = (name: string, nodeClass = 'default'): readonly string[] =>
    validateNodePool(
      {
        metadata: { name },
        spec: { template: { spec: { requirements: [], nodeClassRef: { ...nodeClassRef, name: nodeClass } } } },
      },
      coreVocabulary,
    ).errors

  test('may have at most 63 characters, for a pool and for its node class', () => {
    expect(named('n'.repeat(63), 'c'.repeat(63))).toEqual([])
    expect(named('n'.repeat(64))).toEqual([
      'metadata.name is also the value of the label karpenter.sh/nodepool of its nodes: a label value may not be longer than 63 characters; use a shorter name',
    ])
    expect(named('a', 'c'.repeat(64))).toEqual([expect.stringContaining('karpenter.kwok.sh/kwoknodeclass')])
  })
})

describe('amounts and durations that cannot be read', () => {
  const withSpec = (more: Partial<NodePoolSpec>, spec: Partial<TemplateSpec> = {}): readonly string[] =>
    validateNodePool(
      { spec: { template: { spec: { requirements: [], nodeClassRef, ...spec } }, ...more } },
      coreVocabulary,
    ).errors

  test('are errors in limits', () => {
    expect(withSpec({ limits: { cpu: '100', memory: '1.5Ti', nodes: 3 } })).toEqual([])
    expect(withSpec({ limits: { cpu: '1e0.5', 'nvidia.com/gpu': '1e999' } })).toEqual([
      'spec.limits.cpu must be a quantity, for example "100" or "500m", not "1e0.5"',
      'spec.limits.nvidia.com/gpu must be a quantity, for example "100" or "500m", not "1e999"',
    ])
    expect(withSpec({ limits: { cpu: `${'1'.repeat(50_000)}e0.5` } }).join('').length).toBeLessThan(200)
  })

  test('are errors in durations', () => {
    const long = '9999999999h'
    expect(withSpec({ disruption: { consolidateAfter: 'Never' } }, { expireAfter: 'Never' })).toEqual([])
    expect(withSpec({ disruption: { consolidateAfter: long } })).toEqual([
      `spec.disruption.consolidateAfter must be a duration of at most 292 years, for example "720h" or Never, not "${long}"`,
    ])
    expect(withSpec({}, { expireAfter: long, terminationGracePeriod: long })).toEqual([
      expect.stringContaining('spec.template.spec.expireAfter'),
      expect.stringContaining('spec.template.spec.terminationGracePeriod'),
    ])
  })
})

describe('Kerf’s own taints as startup taints', () => {
  const unregistered = 'karpenter.sh/unregistered'
  test.each([
    [{ key: unregistered, effect: 'NoSchedule' }, `"${unregistered}:NoSchedule" may not be used`],
    [{ key: unregistered, effect: 'NoExecute', value: 'x' }, `"${unregistered}=x:NoExecute" may not be used`],
    [{ key: 'karpenter.sh/disrupted', effect: 'NoSchedule' }, '"karpenter.sh/disrupted:NoSchedule" may not be used'],
    [{ key: 'karpenter.sh/disrupted', effect: 'NoExecute', value: '' }, 'may not be used'],
  ] as const)('%j', (taint, problem) => {
    expect(ofPool({ startupTaints: [taint] }).errors).toEqual([expect.stringContaining(problem)])
  })
  test('are valid if registration removes the taint, and as taints that are not startup taints', () => {
    expect(ofPool({ startupTaints: [{ key: unregistered, effect: 'NoExecute', value: '' }] })).toEqual(clean)
    expect(ofPool({ taints: [{ key: 'karpenter.sh/disrupted', effect: 'NoSchedule' }] })).toEqual(clean)
  })
})

describe('requirements', () => {
  test.each([
    { key: 'kubernetes.io/arch', operator: 'In', values: ['arm64'] },
    { key: 'beta.kubernetes.io/arch', operator: 'In', values: ['arm64'] },
    { key: 'a', operator: 'NotIn', values: [] },
    { key: 'a', operator: 'Exists' },
    { key: 'a', operator: 'Gt', values: ['0'] },
    { key: 'a', operator: 'In', values: ['x', 'y'], minValues: 2 },
    { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['spot', 'on-demand', 'reserved'], minValues: 3 },
    { key: 'karpenter.sh/capacity-type', operator: 'NotIn', values: ['nonsense'] },
  ] as const)('$key $operator $values', (requirement) => {
    expect(ofRequirement(requirement)).toEqual(clean)
  })

  test.each([
    [{ key: 'karpenter.sh/nodepool', operator: 'Exists' }, 'the controller sets this label'],
    [{ key: 'karpenter.sh/custom', operator: 'Exists' }, 'restricted'],
    [{ key: 'kubernetes.io/hostname', operator: 'Exists' }, 'restricted'],
    [{ key: 'a b', operator: 'Exists' }, 'letters'],
    [{ key: 'a', operator: 'In', values: [] }, 'at least one value'],
    [{ key: 'a', operator: 'In' }, 'at least one value'],
    [{ key: 'a', operator: 'In', values: ['x'], minValues: 2 }, 'minValues is 2'],
    [{ key: 'a', operator: 'In', values: ['not a value!'] }, 'label value'],
    [{ key: 'a', operator: 'Gt', values: ['-1'] }, 'exactly one value'],
    [{ key: 'a', operator: 'Lte', values: ['1', '2'] }, 'exactly one value'],
    [{ key: 'karpenter.sh/capacity-type', operator: 'In', values: ['nonsense'] }, 'none of the values'],
    [
      { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['spot', 'nonsense'], minValues: 2 },
      'only 1 of the values exist',
    ],
  ] as const)('%j', (requirement, problem) => {
    expect(ofRequirement(requirement).errors).toContainEqual(expect.stringContaining(problem))
  })

  test('an unknown value among known ones is only a warning', () => {
    const findings = ofRequirement({ key: 'karpenter.sh/capacity-type', operator: 'In', values: ['spot', 'nonsense'] })
    expect(findings.errors).toEqual([])
    expect(findings.warnings).toEqual([expect.stringContaining('"nonsense"')])
  })
})

describe('NodeOverlays', () => {
  const overlay = (spec: Parameters<typeof validateNodeOverlay>[0]['spec']): RuntimeFindings =>
    validateNodeOverlay({ spec }, coreVocabulary)
  test('may have requirements on pools, and need values for NotIn', () => {
    expect(overlay({ requirements: [{ key: 'karpenter.sh/nodepool', operator: 'In', values: ['a'] }] })).toEqual(clean)
    expect(overlay({ requirements: [{ key: 'a', operator: 'NotIn', values: [] }] }).errors).toHaveLength(1)
  })
  test.each([
    [{ price: '0.5', priceAdjustment: '', capacity: { 'example.com/nic': '1' } }, []],
    [{ priceAdjustment: '-.5%' }, []],
    [{ price: 'cheap' }, ['spec.price must be an amount']],
    [{ price: '0.5x' }, ['spec.price must be an amount']],
    [{ price: '-1' }, ['spec.price must be an amount']],
    [{ priceAdjustment: '10%' }, ['spec.priceAdjustment must be a signed']],
    [{ priceAdjustment: '+1O%' }, ['spec.priceAdjustment must be a signed']],
    [
      { capacity: { 'example.com/nic': '1e0.5', 'example.com/gpu': '2' } },
      ['spec.capacity.example.com/nic must be a quantity'],
    ],
  ])('are invalid if an amount cannot be parsed, and the error names the field: %j', (spec, problems) => {
    const { errors } = overlay({ requirements: [], ...spec })
    expect(errors).toEqual(problems.map((problem) => expect.stringContaining(problem)))
  })
  test('must not set resources that the provider knows', () => {
    expect(overlay({ requirements: [], capacity: { 'nvidia.com/gpu': 1 } })).toEqual(clean)
    expect(overlay({ requirements: [], capacity: { memory: '1Gi' } }).errors).toHaveLength(1)
    const vocabulary = new LabelVocabulary({ ...noVocabulary, wellKnownResources: ['habana.ai/gaudi'] })
    expect(
      validateNodeOverlay({ spec: { requirements: [], capacity: { 'habana.ai/gaudi': 1 } } }, vocabulary).errors,
    ).toHaveLength(1)
  })
})
