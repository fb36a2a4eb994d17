import { expect, test } from 'vitest'
import { conditionRows } from './conditions.ts'
import { decisionRows } from './decisions.ts'
import { isolatedText, messageOf } from './message.ts'

test.each([
  ['plain text', 'cpu is short by 0.2', 'cpu is short by 0.2'],
  ['an override that is not closed', 'node\u202e(1-edon)', 'node(1-edon)'],
  ['letters from right to left', 'הצומת חסום', '\u2068הצומת חסום\u2069'],
  ['both, and an isolate that ends too often', 'العقدة\u2069\u202e', '\u2068العقدة\u2069'],
  ['other languages', '节点 вузол é', '节点 вузол é'],
])('%s cannot change the direction of the text around it', (_, text, expected) => {
  expect(isolatedText(text)).toBe(expected)
  expect(messageOf({ message: text })).toBe(expected)
  expect(messageOf({ note: text })).toBe(expected)
})

test('the messages of conditions and Events are isolated', () => {
  const text = '\u202eהצומת'
  const conditions = [{ type: 'Ready', status: 'False', message: text }]
  expect(conditionRows({ status: { conditions } })[0]?.message).toBe('\u2068הצומת\u2069')
  const event = {
    involvedObject: { kind: 'Node', name: 'n' },
    ...{ reason: 'DisruptionBlocked', message: text, lastTimestamp: '2026-01-01T00:00:00Z' },
  }
  expect(decisionRows([event])[0]?.message).toBe('\u2068הצומת\u2069')
})
