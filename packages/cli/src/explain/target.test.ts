import { expect, test } from 'vitest'
import { podNameOf, targetOf } from './target.ts'

test.each([
  ['pod/web', 'pod', 'web'],
  ['po/shop/web', 'pod', 'shop/web'],
  ['NODES/ip-10-0-0-1.example.internal', 'node', 'ip-10-0-0-1.example.internal'],
  ['nodeclaim/general-x7k2p', 'nodeclaim', 'general-x7k2p'],
  ['nodepools.karpenter.sh/general', 'nodepool', 'general'],
])('%s is a %s', (text, kind, name) => {
  expect(targetOf(text)).toEqual({ kind, name })
})

test.each([
  ['nodpool/general', 'did you mean nodepool/general?'],
  ['nodee', 'did you mean node NAME?'],
  ['deployment/web', 'takes pod/NAME, node/NAME, nodeclaim/NAME, nodepool/NAME'],
  ['pod/', 'the name is missing: kerf explain pod/NAME'],
])('%s is refused', (text, message) => {
  expect(() => targetOf(text)).toThrow(message)
})

test('a pod without a namespace is in default', () => {
  expect(podNameOf('web', undefined)).toBe('default/web')
  expect(podNameOf('web', 'shop')).toBe('shop/web')
  expect(podNameOf('shop/web', undefined)).toBe('shop/web')
})
