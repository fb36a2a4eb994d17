import { expect, test } from 'vitest'
import type { Translate } from '../locales/translate.ts'
import { checkReadable } from '../model/reported.ts'
import { holdText } from './reported-blocker-text.ts'

const t: Translate = (key, ...[values]) => `${key} ${JSON.stringify(values)}`
const pod = { metadata: { name: 'web', namespace: 'shop', uid: 'u1' }, spec: { containers: [] } }
const readable = checkReadable([pod], [])
const guard = (name: string) => ({ code: 'pod.do-not-disrupt', pod: name } as const)

test('names the pod that keeps a node, whether Kerf reports its uid or the objects show its name', () => {
  const sentence = 'pod has "karpenter.sh/do-not-disrupt" annotation (Pod=shop/web)'
  expect(holdText({ blocker: guard('shop/web'), isNamed: true, others: 0 }, readable, 'en', t)).toBe(sentence)
  expect(holdText({ blocker: guard('u1'), others: 2 }, readable, 'en', t)).toBe(
    `${sentence} (otherReasons {"count":2})`,
  )
  expect(holdText({ blocker: guard('shop/web'), isNamed: true, others: 0 }, readable, 'uk', t)).toBe(
    'под shop/web має анотацію karpenter.sh/do-not-disrupt',
  )
})

test('shows the code of a blocker of another version of Kerf', () => {
  expect(holdText({ blocker: { code: 'of.tomorrow' }, others: 0 }, readable, 'en', t)).toBe('of.tomorrow')
})
