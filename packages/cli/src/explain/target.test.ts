import { expect, test } from 'vitest'
import { parseTarget, qualifiedPodName } from './target.ts'

test.each([
  ['pod/web', 'pod', 'web'],
  ['po/shop/web', 'pod', 'shop/web'],
  ['NODES/ip-10-0-0-1.example.internal', 'node', 'ip-10-0-0-1.example.internal'],
  ['nodeclaim/general-x7k2p', 'nodeclaim', 'general-x7k2p'],
  ['nodepools.karpenter.sh/general', 'nodepool', 'general'],
])('%s is a %s', (text, kind, name) => {
  expect(parseTarget(text)).toEqual({ kind, name })
})

test.each([
  ['nodpool/general', 'did you mean nodepool/general?'],
  ['nodee', 'did you mean node NAME?'],
  ['deployment/web', 'takes pod/NAME, node/NAME, nodeclaim/NAME, nodepool/NAME'],
  ['pod/', 'the name is missing: kerf explain pod/NAME'],
])('%s is refused', (text, message) => {
  expect(() => parseTarget(text)).toThrow(message)
})

test('a pod without a namespace is in default', () => {
  expect(qualifiedPodName('web', undefined)).toBe('default/web')
  expect(qualifiedPodName('web', 'shop')).toBe('shop/web')
  expect(qualifiedPodName('shop/web', undefined)).toBe('shop/web')
})
