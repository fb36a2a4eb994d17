import { expect, test } from 'vitest'
import { parseManifests } from '../manifests/parse-manifests.ts'
import { nothingPlanned } from './nothing-planned.ts'

const errorMessage = (yaml: string, idle: readonly string[] = []): string | undefined =>
  nothingPlanned(parseManifests(yaml, 'f.yaml'), idle)?.message

const pod = (name: string, spec = ''): string =>
  `---\n{apiVersion: v1, kind: Pod, metadata: {name: ${name}}, spec: {containers: [{name: c}]${spec}}}\n`
const gate = ', schedulingGates: [{name: example.com/quota}]'

test('for files without a pod, the error says what they contain', () => {
  const service = '---\n{apiVersion: v1, kind: Service, metadata: {name: s}, spec: {}}\n'
  expect(errorMessage(service)).toBe(
    'nothing to plan: the files contain no pods and no workloads that create pods, but 1 Service; add the pods or their Deployment, StatefulSet or Job with -f',
  )
  expect(errorMessage(`${service}${service}`)).toContain('but 2 of kind Service;')
  expect(errorMessage('')).toContain('but no objects;')
})

test('the error names pods with scheduling gates and workloads that need no pods', () => {
  expect(errorMessage(pod('a', gate))).toBe(
    'nothing to plan: Pod default/a waits for the scheduling gate example.com/quota',
  )
  expect(errorMessage(pod('a', gate) + pod('b', gate), ['Job default/j is suspended'])).toBe(
    'nothing to plan: Pod default/a and 1 more wait for the scheduling gate example.com/quota; Job default/j is suspended',
  )
})

test('a pending or running pod is not an error', () => {
  expect(errorMessage(pod('a', gate) + pod('b'))).toBeUndefined()
  expect(errorMessage(pod('a', ', nodeName: n'))).toBeUndefined()
})
