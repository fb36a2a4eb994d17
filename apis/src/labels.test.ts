import { expect, test } from 'vitest'
import { isRestrictedLabel, isWellKnownLabel, labels, nodeClassLabel, normalizeLabel } from './labels.ts'
import { isQualifiedName, labelValueProblem, qualifiedNameProblem, subdomainProblem } from './qualified-name.ts'

test('labels of the own domain are reserved unless well-known; a dot marks a subdomain', () => {
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
  for (const [key, expected] of Object.entries(table)) expect(isRestrictedLabel(key), key).toBe(expected)
})

test('a provider adds domains, and labels that it makes well-known', () => {
  const vocabulary = {
    restrictedDomains: new Set(['karpenter.kwok.sh']),
    wellKnown: new Set(['karpenter.kwok.sh/instance-cpu']),
  }
  expect(isRestrictedLabel('karpenter.kwok.sh/custom', vocabulary)).toBe(true)
  expect(isRestrictedLabel('karpenter.kwok.sh/instance-cpu', vocabulary)).toBe(false)
  expect(isRestrictedLabel('karpenter.kwok.sh/custom')).toBe(false)
  expect(isWellKnownLabel('karpenter.kwok.sh/instance-cpu', vocabulary)).toBe(true)
})

test('old names become the ones they stand for', () => {
  expect(normalizeLabel('failure-domain.beta.kubernetes.io/zone')).toBe(labels.zone)
  expect(normalizeLabel('failure-domain.beta.kubernetes.io/region')).toBe(labels.region)
  expect(normalizeLabel('beta.kubernetes.io/arch')).toBe(labels.arch)
  expect(normalizeLabel('beta.kubernetes.io/os')).toBe(labels.os)
  expect(normalizeLabel('beta.kubernetes.io/instance-type')).toBe(labels.instanceType)
  expect(normalizeLabel('topology.ebs.csi.aws.com/zone')).toBe('topology.ebs.csi.aws.com/zone')
  expect(
    normalizeLabel('topology.ebs.csi.aws.com/zone', {
      aliases: new Map([['topology.ebs.csi.aws.com/zone', labels.zone]]),
    }),
  ).toBe(labels.zone)
  expect(normalizeLabel('custom')).toBe('custom')
})

test('the label of a node class', () => {
  expect(nodeClassLabel({ group: 'karpenter.kwok.sh', kind: 'KWOKNodeClass' })).toBe('karpenter.kwok.sh/kwoknodeclass')
})

test('qualified names, label values, subdomains', () => {
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
