import type { Pod } from '@kerf/apis'
import { pod } from '@kerf/testing'
import { expect, test } from 'vitest'
import { forgetManyForms, podForm, podForms } from './pod-form.ts'

const withSpec = (spec: object): Pod => {
  const base = pod('web')
  return { ...base, spec: { ...base.spec, ...spec } }
}

test.each([
  ['a list that ends sooner', { affinity: [['x'], 'y'] }, { affinity: [['x', 'y']] }],
  ['an empty list before', { affinity: [[], 'x'] }, { affinity: [['x']] }],
  ['an object that ends sooner', { affinity: { a: { b: '1' }, c: '2' } }, { affinity: { a: { b: '1', c: '2' } } }],
  ['a list and an object', { affinity: ['0', 'x'] }, { affinity: { 0: 'x' } }],
  ['a text and a number', { affinity: { a: '1' } }, { affinity: { a: 1 } }],
  ['one field and the next', { nodeSelector: { a: '1' } }, { affinity: { a: '1' } }],
])('%s have different forms', (_, one, other) => {
  expect(podForm(withSpec(one))).not.toBe(podForm(withSpec(other)))
  expect(podForm(withSpec(one))).toBe(podForm(withSpec(one)))
})

test('the kubelet’s status of running containers does not give each pod its own form', () => {
  const running = (id: string, cpu: string): Pod => ({
    ...pod('web'),
    status: {
      phase: 'Running',
      conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: `2026-01-01T00:00:0${id}Z` }],
      containerStatuses: [
        { name: 'app', containerID: `containerd://${id}`, restartCount: 3, resources: { requests: { cpu } } },
      ],
    },
  })
  expect(podForm(running('1', '1'))).toBe(podForm(running('2', '1')))
  expect(podForm(running('1', '1'))).not.toBe(podForm(running('1', '2')))
})

test('an unreadable pod has no form', () => {
  expect(podForm({ ...pod('web'), spec: undefined } as unknown as Pod)).toBeUndefined()
  expect(podForm(withSpec({ affinity: { a: 1n } }))).toBeUndefined()
  expect(podForm(withSpec({ affinity: { a: new Date(0) } }))).toBeUndefined()
})

test('the forms of a list are computed only once, and again after forms were cleared', () => {
  const list = [pod('web'), pod('api', { labels: { app: 'api' } })]
  const first = podForms(list)
  expect(first).toEqual(list.map(podForm))
  forgetManyForms()
  expect(podForms(list)).toBe(first)
  for (let nth = 0; nth < 50_000; nth++) podForm(pod('other', { labels: { nth: `${nth}` } }))
  forgetManyForms()
  const second = podForms(list)
  expect(second.map((form) => form?.id)).toEqual(list.map((each) => podForm(each)?.id))
  expect(second[0]).not.toBe(first[0])
})
