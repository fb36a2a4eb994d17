import { expect, test } from 'vitest'
import { coreVocabulary, LabelVocabulary, noVocabulary } from './label-vocabulary.ts'
import { labels, nodeClassLabel } from './labels.ts'
import { isQualifiedName, labelValueProblem, qualifiedNameProblem, subdomainProblem } from './qualified-name.ts'

test('labels in Karpenter’s domain are reserved unless they are well-known, including those in subdomains', () => {
  const table: Readonly<Record<string, boolean>> = {
    'karpenter.sh/nodepool': false,
    'karpenter.sh/capacity-type': false,
    'karpenter.sh/registered': true,
    'karpenter.sh/custom': true,
    'sub.karpenter.sh/custom': true,
    'notkarpenter.sh/custom': false,
    'kubernetes.io/hostname': true,
    'kubernetes.io/arch': false,
    'kubernetes.io/custom': false,
    'node-restriction.kubernetes.io/x': false,
    custom: false,
    'karpenter.sh': false,
  }
  for (const [key, expected] of Object.entries(table)) expect(coreVocabulary.isRestricted(key), key).toBe(expected)
})

test('a provider adds restricted domains and well-known labels', () => {
  const vocabulary = new LabelVocabulary({
    ...noVocabulary,
    restrictedDomains: ['karpenter.kwok.sh'],
    unrestricted: ['karpenter.kwok.sh/kwoknodeclass'],
    wellKnown: ['karpenter.kwok.sh/instance-cpu'],
  })
  expect(vocabulary.isRestricted('karpenter.kwok.sh/custom')).toBe(true)
  expect(vocabulary.isRestricted('karpenter.kwok.sh/instance-cpu')).toBe(false)
  expect(vocabulary.isRestricted('karpenter.kwok.sh/kwoknodeclass')).toBe(false)
  expect(coreVocabulary.isRestricted('karpenter.kwok.sh/custom')).toBe(false)
  expect(vocabulary.isWellKnown('karpenter.kwok.sh/instance-cpu')).toBe(true)
})

test('aliases are normalized to the labels for which they stand', () => {
  expect(coreVocabulary.normalize('failure-domain.beta.kubernetes.io/zone')).toBe(labels.zone)
  expect(coreVocabulary.normalize('failure-domain.beta.kubernetes.io/region')).toBe(labels.region)
  expect(coreVocabulary.normalize('beta.kubernetes.io/arch')).toBe(labels.arch)
  expect(coreVocabulary.normalize('beta.kubernetes.io/os')).toBe(labels.os)
  expect(coreVocabulary.normalize('beta.kubernetes.io/instance-type')).toBe(labels.instanceType)
  expect(coreVocabulary.normalize('topology.ebs.csi.aws.com/zone')).toBe('topology.ebs.csi.aws.com/zone')
  const zones = new LabelVocabulary({
    ...noVocabulary,
    aliases: [{ alias: 'a.example/zone', label: labels.zone, values: [{ written: '', means: '0' }] }],
  })
  expect(zones.normalize('a.example/zone')).toBe(labels.zone)
  expect(['', 'b'].map((value) => zones.valueOf('a.example/zone', value))).toEqual(['0', 'b'])
  // An empty value means zone 0 only for the alias. For the label itself, it is an ordinary value.
  expect(zones.valueOf(labels.zone, '')).toBe('')
  expect(coreVocabulary.normalize('custom')).toBe('custom')
})

test('the label of a node class consists of its group and kind', () => {
  expect(nodeClassLabel({ group: 'karpenter.kwok.sh', kind: 'KWOKNodeClass' })).toBe('karpenter.kwok.sh/kwoknodeclass')
})

test('qualified names, label values and subdomains are validated', () => {
  for (const good of ['a', 'A.b_c-1', 'example.com/a', `${'a'.repeat(253)}/${'b'.repeat(63)}`])
    expect(isQualifiedName(good), good).toBe(true)
  for (const bad of [
    '',
    '/',
    'a/',
    '/a',
    'a/b/c',
    '-a',
    'a-',
    'a b',
    'Example.com/a',
    'a'.repeat(64),
    `${'a'.repeat(254)}/b`,
  ]) {
    expect(qualifiedNameProblem(bad), bad).toBeTypeOf('string')
  }
  expect([labelValueProblem(''), labelValueProblem('A.b_c-1')]).toEqual([undefined, undefined])
  for (const bad of ['a b', '-', 'a/b', 'a'.repeat(64)]) expect(labelValueProblem(bad), bad).toBeTypeOf('string')
  expect(subdomainProblem('a.b-c.d')).toBeUndefined()
  for (const bad of ['', 'A', 'a..b', '-a', 'a'.repeat(254)]) expect(subdomainProblem(bad), bad).toBeTypeOf('string')
})
